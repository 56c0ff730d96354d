// Settings, Appearance: theme, language and link previews, for this browser.
import { switchLinkCards, useLinkCards } from '@/features/posts/link-cards';
import { type Language, languageNames, languages } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import { chooseLanguage } from '@/ui/choose-language';
import { Segmented } from '@/ui/segmented';
import { Switch } from '@/ui/switch';
import { ThemeChoice } from '@/ui/theme-choice';
import { SettingsSection } from './settings-section';

const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

export function AppearanceSection() {
  const { t, i18n } = useTranslation(['settings', 'shell']);
  const hasLinkCards = useLinkCards();
  const row = 'flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 text-ui font-medium';
  return (
    <SettingsSection anchor="appearance" title={t('appearance.title')} about={t('appearance.about')}>
      <div className="space-y-4">
        <div className={row}>
          <span aria-hidden="true">{t('shell:theme.title')}</span>
          <ThemeChoice />
        </div>
        <div className={row}>
          <span aria-hidden="true">{t('shell:chooseLanguage')}</span>
          <Segmented
            label={t('shell:chooseLanguage')}
            options={languageOptions}
            value={i18n.language as Language}
            onChange={chooseLanguage}
          />
        </div>
      </div>
      <div className="-mb-3 mt-3 border-t">
        <Switch
          label={t('appearance.linkPreviews')}
          hint={t('appearance.linkPreviewsHint')}
          checked={hasLinkCards}
          onChange={switchLinkCards}
        />
      </div>
    </SettingsSection>
  );
}
