// The edited mark, with the time on hover.
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

export function EditMark({ at }: { at: string | null }) {
  const { t, i18n } = useTranslation('posts');
  if (!at) return null;
  const exact = formatDate(i18n.language, at, { dateStyle: 'long', timeStyle: 'short' });
  return <span title={exact ?? undefined}>{t('edited')}</span>;
}
