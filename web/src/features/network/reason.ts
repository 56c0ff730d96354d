// The reason of a suggestion in one line.
import type { Suggestion } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';

export function useReason(): (suggestion: Suggestion) => string {
  const { t } = useTranslation('network');
  return ({ reason, mutualConnections }) =>
    mutualConnections > 0 || reason === 'mutual_connections'
      ? t('mutual', { count: mutualConnections })
      : t(`reason.${reason}`);
}
