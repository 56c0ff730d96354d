// Settings, Notifications: a switch per kind of notification, which applies at once.
import { useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { notificationSettingsQuery } from '@/api/queries';
import type { NotificationSettings } from '@/api/schema.gen';
import { SettingsSection } from '@/features/account/settings-section';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { ErrorPanel } from '@/ui/error-panel';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { Switch } from '@/ui/switch';
import { switchable } from './kinds';

const changing = ['change notification settings'];

/** Also needs the texts of `notifications`. */
export function NotificationsSection() {
  const { t } = useTranslation('notifications');
  const queryClient = useQueryClient();
  const { data: settings, isPending, refetch } = useQuery(notificationSettingsQuery);
  const change = useChange({
    mutationKey: changing,
    // Serial, so that the last change of the member is applied last.
    scope: { id: 'notification settings' },
    mutationFn: (changes: Partial<NotificationSettings>) =>
      read(api.PATCH('/api/notifications/settings', { body: changes })),
    failed: ({ message }) => t('settings.changeFailed', { message }),
    onSuccess: (changed) => queryClient.setQueryData(notificationSettingsQuery.queryKey, changed),
  });
  // Pending changes are shown optimistically and disappear on failure. They are read together with the settings: if one
  // were newer than the other, a switch would flicker.
  const wanted = useMutationState({
    filters: { mutationKey: changing, status: 'pending' },
    select: ({ state }) => state.variables as Partial<NotificationSettings>,
  });
  return (
    <SettingsSection anchor="notifications" title={t('settings.title')} about={t('settings.about')}>
      {isPending ? (
        <SwitchSkeletons />
      ) : settings ? (
        <Switches shown={Object.assign({}, settings, ...wanted)} onChange={change.mutate} />
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('settings.failed')}</ErrorPanel>
      )}
    </SettingsSection>
  );
}

function Switches({
  shown,
  onChange,
}: {
  shown: NotificationSettings;
  onChange: (changes: Partial<NotificationSettings>) => void;
}) {
  const { t } = useTranslation('notifications');
  return (
    <ul className="-my-3 divide-y">
      {switchable.map((kind) => (
        <li key={kind}>
          <Switch
            label={t(`settings.kind.${kind}`)}
            hint={t(`settings.hint.${kind}`)}
            checked={shown[kind]}
            onChange={(on) => onChange({ [kind]: on })}
          />
        </li>
      ))}
    </ul>
  );
}

function SwitchSkeletons() {
  return (
    <Loading className="-my-3 divide-y">
      {switchable.map((kind) => (
        <div key={kind} className="flex items-start justify-between gap-4 py-3">
          <Bars className="min-w-0 flex-1 space-y-2 py-1" of={['h-3.5 w-36', 'h-3 w-64 max-w-full']} />
          <Skeleton className="h-5 w-9 rounded-full!" />
        </div>
      ))}
    </Loading>
  );
}
