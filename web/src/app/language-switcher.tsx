// The language switcher: a globe and the current language; the label of its menu is "Pumili ng wika".
import { Globe } from 'lucide-react';
import { type Language, languageNames } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { OnDemand } from '@/ui/on-demand';

const names = { lg: 'max-lg:hidden', xl: 'max-xl:hidden' };

const LanguageMenu = lazy(async () => (await import('./language-menu')).LanguageMenu);

/** `nameFrom` is the minimum width at which the language name is shown beside the globe. */
export function LanguageSwitcher({ nameFrom }: { nameFrom: keyof typeof names }) {
  const { t, i18n } = useTranslation('shell');
  const name = languageNames[i18n.language as Language];
  return (
    <OnDemand load={LanguageMenu.load} floating={(trigger) => <LanguageMenu trigger={trigger} />}>
      {(handlers) => (
        <Button
          variant="ghost"
          className="px-2!"
          // Contains the visible name, so that speech input finds the button by it.
          aria-label={`${t('chooseLanguage')}: ${name}`}
          aria-haspopup="menu"
          {...handlers}
        >
          <Globe className="icon" />
          <span className={`text-[0.8125rem] ${names[nameFrom]}`}>{name}</span>
        </Button>
      )}
    </OnDemand>
  );
}
