// The state of all sources in one sentence.

import type { Status } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';

export function Summary({ status: { jobs, news } }: { status: Status }) {
  const { t } = useTranslation('status');
  const sources = [...(jobs ?? []), ...(news ?? [])];
  const count = sources.filter(({ state }) => state === 'failing').length;
  // Empty while a source was never visited or a service is unavailable.
  const well = jobs && news && sources.length > 0 && sources.every(({ state }) => state === 'healthy');
  if (count === 0 && !well) return null;
  return <p className="mb-4 text-body text-pretty">{count > 0 ? t('failing', { count }) : t('well')}</p>;
}
