// How long a mute lasts.
import { useTranslation } from '@/i18n/use-translation';
import { Segmented } from '@/ui/segmented';

export const durations = ['forever', 'day', 'week', 'month'] as const;
export type Duration = (typeof durations)[number];

export function DurationChoice({
  value,
  onChange,
}: {
  value: Duration;
  onChange: (value: Duration) => void;
}) {
  const { t } = useTranslation('feeds');
  const options = durations.map((duration) => ({ value: duration, label: t(`durations.${duration}`) }));
  return <Segmented label={t('duration')} options={options} value={value} onChange={onChange} />;
}
