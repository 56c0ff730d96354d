// Settings, Passkeys: the passkeys of the member; add, rename and remove.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '@/api/client';
import { passkeysQuery } from '@/api/passkeys';
import type { Passkey } from '@/api/schema.gen';
import { refusal } from '@/features/auth/failure';
import { isAdded, isCancelled } from '@/features/passkeys/ceremony-errors';
import { hasPasskeys, isAddress } from '@/features/passkeys/support';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { Loading } from '@/ui/skeleton';
import { NameDialog } from './passkey-name-dialog';
import { SettingsSection } from './settings-section';

/** The server refuses another one. */
const maxPasskeys = 20;

export function PasskeysSection() {
  const { t } = useTranslation('passkeys');
  const { data: passkeys, isPending, refetch } = useQuery(passkeysQuery);
  return (
    <SettingsSection anchor="passkeys" title={t('title')} about={t('about')}>
      {isPending ? (
        <Loading className="space-y-4" bars={['h-3.5 w-64 max-w-full', 'h-9 w-44']} />
      ) : passkeys ? (
        <>
          {passkeys.length === 0 ? (
            <p className="text-ui">{t('none')}</p>
          ) : (
            <ul className="-mt-1 divide-y">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )}
          <AddPasskey isFull={passkeys.length >= maxPasskeys} />
        </>
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('failed')}</ErrorPanel>
      )}
    </SettingsSection>
  );
}

function AddPasskey({ isFull }: { isFull: boolean }) {
  const { t } = useTranslation('passkeys');
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const add = useChange({
    mutationFn: async (name: string) => (await import('@/features/passkeys/ceremony')).createPasskey(name),
    done: (added) => ({ title: t('added'), description: added.name }),
    failed: (error) => {
      if (isCancelled(error)) return null;
      return isAdded(error) ? t('addedBefore') : (refusal(error).sentence ?? t('notAdded'));
    },
    onSuccess: (added) => {
      queryClient.setQueryData(passkeysQuery.queryKey, (passkeys) => passkeys && [added, ...passkeys]);
      setOpen(false);
    },
  });
  if (!hasPasskeys())
    return (
      <p className="mt-4 text-caption text-pretty text-muted-foreground">
        <Unavailable />
      </p>
    );
  return (
    <div className="mt-4">
      <Button disabled={isFull} onClick={() => setOpen(true)}>
        {t('add')}
      </Button>
      {isFull && (
        <p className="mt-2 text-caption text-muted-foreground">{t('full', { count: maxPasskeys })}</p>
      )}
      {open && (
        <NameDialog
          title={t('add')}
          text={t('addText')}
          name=""
          action={t('continue')}
          busy={add.isPending}
          busyLabel={t('adding')}
          onClose={() => setOpen(false)}
          onSubmit={(name) => add.mutate(name)}
        />
      )}
    </div>
  );
}

/** Why there is no button. A server on the own machine has a name besides its address. */
function Unavailable() {
  const { t } = useTranslation('passkeys');
  const { hostname, port, protocol } = window.location;
  if (!isAddress(hostname)) return t('unsupported');
  const host = port ? `localhost:${port}` : 'localhost';
  const isLoopback = hostname.startsWith('127.') || hostname === '[::1]';
  if (!isLoopback) return t('address');
  return (
    <>
      {t('address')}{' '}
      <a className="link underline" href={`${protocol}//${host}/settings`}>
        {t('openLocalhost', { host })}
      </a>
    </>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t, i18n } = useTranslation('passkeys');
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const { id, name, createdAt, lastUsedAt, backedUp } = passkey;
  // It may have been removed elsewhere.
  const onError = () => void queryClient.invalidateQueries(passkeysQuery);
  const rename = useChange({
    mutationFn: (name: string) =>
      read(api.PATCH('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { name } })),
    done: (renamed) => ({ title: t('renamed'), description: renamed.name }),
    failed: (error) => refusal(error).sentence ?? t('notRenamed'),
    onSuccess: (renamed) => {
      queryClient.setQueryData(passkeysQuery.queryKey, (passkeys) =>
        passkeys?.map((other) => (other.id === id ? renamed : other)),
      );
      setOpen(null);
    },
    onError,
  });
  const remove = useChange({
    mutationFn: () => read(api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('removed'), description: name }),
    failed: (error) => refusal(error).sentence ?? t('notRemoved'),
    onSuccess: () => {
      setOpen(null);
      queryClient.setQueryData(passkeysQuery.queryKey, (passkeys) =>
        passkeys?.filter((other) => other.id !== id),
      );
    },
    onError,
  });
  return (
    <li className="flex justify-between gap-3 py-3 max-sm:flex-col sm:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-semibold wrap-anywhere">
          {name}
          {backedUp && <Badge tone="green">{t('backedUp')}</Badge>}
        </p>
        <p className="mt-0.5 text-caption text-muted-foreground">
          {t('createdAt', { date: formatDate(i18n.language, createdAt, { dateStyle: 'long' }) })}
          {' · '}
          {lastUsedAt ? (
            <>
              {t('lastUsed')} <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            t('neverUsed')
          )}
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-label={t('renameOne', { name })}
          onClick={() => setOpen('rename')}
        >
          {t('rename')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t('removeOne', { name })}
          onClick={() => setOpen('remove')}
        >
          {t('remove')}
        </Button>
      </div>
      {open === 'rename' && (
        <NameDialog
          title={t('renameTitle')}
          text={t('renameText')}
          name={name}
          action={t('save')}
          busy={rename.isPending}
          busyLabel={t('saving')}
          onClose={() => setOpen(null)}
          onSubmit={(name) => rename.mutate(name)}
        />
      )}
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={(shown) => !shown && setOpen(null)}
        title={t('removeTitle', { name })}
        text={t('removeText')}
        action={t('remove')}
        destructive
        busy={remove.isPending}
        busyLabel={t('removing')}
        onConfirm={() => remove.mutate()}
      />
    </li>
  );
}
