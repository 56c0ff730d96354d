// The other devices with notifications, each with a button that removes it.
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { pushQuery } from '@/api/queries';
import type { PushSubscription as PushSubscriptionView } from '@/api/schema.gen';
import { refusal } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { RelativeTime } from '@/ui/relative-time';
import { remove } from './push-browser';

export function PushDevices({ devices }: { devices: PushSubscriptionView[] }) {
  const { t } = useTranslation('push');
  const heading = useRef<HTMLHeadingElement>(null);
  if (devices.length === 0) return null;
  return (
    <div className="mt-5 border-t pt-4">
      <h3 ref={heading} tabIndex={-1} className="text-ui font-semibold outline-none">
        {t('others')}
      </h3>
      <ul className="divide-y">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} onRemoved={() => heading.current?.focus()} />
        ))}
      </ul>
    </div>
  );
}

function DeviceRow({ device, onRemoved }: { device: PushSubscriptionView; onRemoved: () => void }) {
  const { t } = useTranslation('push');
  const queryClient = useQueryClient();
  const { id, createdAt } = device;
  const [browser, system] = device.browser.split(' · ');
  const name =
    browser && system
      ? t('browserOn', { browser, system })
      : browser === '?'
        ? t('unknownBrowser')
        : device.browser;
  const removal = useChange({
    mutationFn: () => remove(id),
    done: () => ({ title: t('removed'), description: name }),
    failed: (error) => t('changeFailed', { message: refusal(error).sentence ?? error.message }),
    onSuccess: () => {
      queryClient.setQueryData(
        pushQuery.queryKey,
        (settings) =>
          settings && { ...settings, subscriptions: settings.subscriptions.filter((one) => one.id !== id) },
      );
      onRemoved();
    },
    onError: () => {
      // It may have been removed elsewhere.
      void queryClient.invalidateQueries(pushQuery);
    },
  });
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="text-ui font-medium wrap-anywhere">{name}</p>
        <p className="text-caption text-muted-foreground">
          {t('added')} <RelativeTime at={createdAt} />
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={t('removeOne', { name })}
        busy={removal.isPending}
        busyLabel={t('removing')}
        onClick={() => removal.mutate()}
      >
        {t('remove')}
      </Button>
    </li>
  );
}
