// A choice in a language menu: changes the language, or shows an error when its texts do not load.
import i18next from 'i18next';
import type { Language } from '@/i18n/i18n';
import { changeLanguage } from '@/i18n/load-texts';
import { toast } from './toast';

export function chooseLanguage(language: Language): void {
  changeLanguage(language).catch(() =>
    toast({
      variant: 'destructive',
      title: i18next.t('error'),
      action: { label: i18next.t('tryAgain'), onClick: () => chooseLanguage(language) },
    }),
  );
}
