// Settings, Notifications on this device: off until a member turns them on; the topics; the other devices.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/error';
import { pushQuery } from '@/api/queries';
import type { PushTopic, User } from '@/api/schema.gen';
import { refusal } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { noteSubscribed } from '@/session/push';
import { useChange } from '@/session/use-change';
import { ErrorPanel } from '@/ui/error-panel';
import { Loading } from '@/ui/skeleton';
import { Switch } from '@/ui/switch';
import {
  currentSubscription,
  NotAllowed,
  type PushSupport,
  pushSupport,
  subscribe,
  topics,
  unsubscribe,
} from './push-browser';
import { PushDevices } from './push-devices';
import { SettingsSection } from './settings-section';

const subscriptionQuery = {
  queryKey: ['push subscription of this browser'],
  // A query has no undefined value.
  queryFn: async () => (await currentSubscription()) !== null,
  retry: false,
};

/** Also needs the texts of `push`. */
export function PushSection({ user }: { user: User }) {
  const { t } = useTranslation('push');
  const { data: settings, isPending, error, refetch } = useQuery(pushQuery);
  const { data: isSubscribed, isPending: isReading } = useQuery(subscriptionQuery);
  // A server of an earlier version has no push.
  if (error instanceof ApiError && error.status === 404) return null;
  const own = (isSubscribed && settings?.subscriptions.find((one) => one.isCurrentSession)) || null;
  return (
    <SettingsSection anchor="push" title={t('title')} about={t('about')}>
      {isPending || isReading ? (
        <Loading className="space-y-2 py-1" bars={['h-3.5 w-48 max-w-full', 'h-3 w-64 max-w-full']} />
      ) : settings ? (
        <>
          {settings.publicKey === null ? (
            <p className="text-ui">{t('turnedOff')}</p>
          ) : (
            <ThisDevice user={user} publicKey={settings.publicKey} own={own} />
          )}
          <PushDevices devices={settings.subscriptions.filter((one) => one.id !== own?.id)} />
        </>
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('failed')}</ErrorPanel>
      )}
    </SettingsSection>
  );
}

interface ThisDeviceProps {
  user: User;
  publicKey: string;
  own: { id: string; topics: PushTopic[] } | null;
}

function ThisDevice({ user, publicKey, own }: ThisDeviceProps) {
  const { t, i18n } = useTranslation('push');
  const queryClient = useQueryClient();
  const support = pushSupport();
  const change = useChange({
    // Serial, so that the last change of the member is applied last.
    scope: { id: 'push subscription' },
    mutationFn: async (wanted: PushTopic[]) => {
      if (wanted.length > 0) await subscribe(publicKey, wanted, i18n.language);
      else if (own) await unsubscribe(own.id);
      noteSubscribed(user.id, wanted.length > 0);
    },
    failed: (problem) => {
      // The explanation below the switch says it.
      if (problem instanceof NotAllowed) return null;
      if (problem instanceof ApiError && problem.code === 'PUSH_SUBSCRIPTIONS_FULL') return t('full');
      return t('changeFailed', { message: refusal(problem).sentence ?? problem.message });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(pushQuery),
        queryClient.invalidateQueries(subscriptionQuery),
      ]),
  });
  if (support !== 'supported') return <p className="text-ui text-pretty">{t(explanations[support])}</p>;
  const shown = change.isPending ? change.variables : (own?.topics ?? []);
  const isBlocked = Notification.permission === 'denied';
  return (
    <div className="-my-3">
      <Switch
        label={t('on')}
        hint={t('onHint')}
        checked={shown.length > 0}
        onChange={(on) => change.mutate(on ? [...topics] : [])}
      />
      <p
        role="status"
        className={isBlocked ? 'mb-3 rounded-lg bg-destructive-soft p-4 text-ui text-pretty' : undefined}
      >
        {isBlocked && t('blocked')}
      </p>
      {shown.length > 0 && (
        <fieldset className="border-t">
          <legend className="sr-only">{t('topics')}</legend>
          <ul className="divide-y">
            {topics.map((topic) => (
              <li key={topic}>
                <Switch
                  label={t(`topic.${topic}`)}
                  hint={t(`topicHint.${topic}`)}
                  checked={shown.includes(topic)}
                  onChange={(on) =>
                    change.mutate(topics.filter((one) => (one === topic ? on : shown.includes(one))))
                  }
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </div>
  );
}

const explanations: Record<Exclude<PushSupport, 'supported'>, 'unsupported' | 'install' | 'shared'> = {
  unsupported: 'unsupported',
  install: 'install',
  shared: 'shared',
};
