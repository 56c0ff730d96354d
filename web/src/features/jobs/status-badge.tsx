// The status of an application: a word and its colour (specification, section 4, Job application).
import type { ComponentProps } from 'react';
import type { ApplicationStatus } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from '@/ui/badge';

/** In the usual order of an application. */
export const statuses = [
  'applied',
  'interviewed',
  'offered',
  'accepted',
  'rejected',
  'withdrawn',
] as const satisfies ApplicationStatus[];

/** Any other status is grey. */
const tones: Partial<Record<string, ComponentProps<typeof Badge>['tone']>> = {
  applied: 'blue',
  interviewed: 'purple',
  offered: 'green',
};

export function StatusBadge({ status }: { status: ApplicationStatus }) {
  const { t } = useTranslation('jobs');
  return <Badge tone={tones[status] ?? 'grey'}>{t(`status.${status}`, { defaultValue: status })}</Badge>;
}
