// Auto, Light, Dark: below the footer links of the home rail and in the More sheet.
import { useTranslation } from '@/i18n/use-translation';
import { Segmented } from './segmented';
import { chooseTheme, themes, useTheme } from './theme';

export function ThemeChoice() {
  const { t } = useTranslation('shell');
  const theme = useTheme();
  const options = themes.map((value) => ({ value, label: t(`theme.${value}`) }));
  return <Segmented label={t('theme.title')} options={options} value={theme} onChange={chooseTheme} />;
}
