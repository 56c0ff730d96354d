// The name of the screen of stewards, for the More sheet.
import { useTranslation } from '@/i18n/use-translation';

export function SchoolRow() {
  const { t } = useTranslation('mark');
  return t('schoolMembers');
}
