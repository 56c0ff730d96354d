// Why somebody is suggested, in a line.
import { useTranslation } from 'react-i18next';
import type { Suggestion } from '@/api/types';

/** Needs the texts of `network`. */
export function useReason(): (suggestion: Suggestion) => string {
  const { t } = useTranslation('network');
  return ({ reason, mutualConnections }) =>
    mutualConnections > 0 || reason === 'mutual_connections'
      ? t('mutual', { count: mutualConnections })
      : t(`reason.${reason}`);
}
