// The open menu of the language switcher.
import type { ReactElement } from 'react';
import { type Language, languageNames, languages } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import { chooseLanguage } from '@/ui/choose-language';
import { Menu, MenuChoice } from '@/ui/menu';

const options = languages.map((value) => ({ value, label: languageNames[value] }));

export function LanguageMenu({ trigger }: { trigger: ReactElement }) {
  const { t, i18n } = useTranslation('shell');
  return (
    <Menu trigger={trigger} heading={t('chooseLanguage')} defaultOpen>
      <MenuChoice options={options} value={i18n.language as Language} onChange={chooseLanguage} />
    </Menu>
  );
}
