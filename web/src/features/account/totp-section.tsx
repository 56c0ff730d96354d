// Settings, Authenticator app: set up, and removed.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { recoveryCodesQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { totpQuery } from '@/api/totp';
import { whyRefused } from '@/features/auth/failure';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { lazy } from '@/ui/lazy';
import { Loading } from '@/ui/skeleton';
import { SettingsSection } from './settings-section';

const TotpSetup = lazy(async () => (await import('./totp-setup')).TotpSetup);

export function TotpSection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: totp, isPending, refetch } = useQuery(totpQuery);
  const isSetUp = totp && totp.confirmedAt !== null;
  const create = useChange({
    mutationFn: async () => {
      // The secret is shown once.
      await TotpSetup.load();
      return read(api.POST('/api/auth/totp', { body: {} }));
    },
    failed: (error) => whyRefused(error, t('totp.notChanged')),
  });
  const isOpen = create.data !== undefined;
  const wasSetUp = useRef(isSetUp);
  useEffect(() => {
    if (isOpen) return;
    // The pressed button is gone.
    if (wasSetUp.current !== undefined && wasSetUp.current !== isSetUp) heading.current?.focus();
    wasSetUp.current = isSetUp;
  }, [isSetUp, isOpen]);
  return (
    <SettingsSection
      anchor="authenticator"
      title={t('totp.title')}
      about={t('totp.about')}
      headingRef={heading}
    >
      {isPending ? (
        <Loading className="space-y-4" bars={['h-3.5 w-64 max-w-full', 'h-9 w-44']} />
      ) : totp ? (
        totp.confirmedAt ? (
          <SetUp since={totp.confirmedAt} />
        ) : (
          <>
            <p className="mb-4 text-ui">{t('totp.none')}</p>
            <Button busy={create.isPending} busyLabel={t('totp.creating')} onClick={() => create.mutate()}>
              {t('totp.setUp')}
            </Button>
          </>
        )
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('totp.failed')}</ErrorPanel>
      )}
      {/* Not a part of either state: it shows codes when the app is set up already. */}
      {create.data && <TotpSetup secret={create.data} user={user} onClose={() => create.reset()} />}
    </SettingsSection>
  );
}

function SetUp({ since }: { since: string }) {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { data: codes } = useQuery(recoveryCodesQuery);
  const remove = useChange({
    mutationFn: () => read(api.DELETE('/api/auth/totp')),
    done: () => ({ title: t('totp.removed'), description: t('totp.removedText') }),
    failed: (error) => whyRefused(error, t('totp.notChanged')),
    onSuccess: () => queryClient.setQueryData(totpQuery.queryKey, { confirmedAt: null }),
    // It may have been removed elsewhere.
    onError: () => void queryClient.invalidateQueries(totpQuery),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <p className="text-ui">
        {t('totp.since', { date: formatDate(i18n.language, since, { dateStyle: 'long' }) })}
      </p>
      {codes?.remaining === 0 && (
        <p className="mt-1 text-ui text-pretty text-muted-foreground">{t('totp.noCodes')}</p>
      )}
      <Button variant="outline" className="mt-4" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {t('totp.remove')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('totp.removeTitle')}
        text={t('totp.removeText')}
        action={t('totp.remove')}
        destructive
        busy={remove.isPending}
        busyLabel={t('totp.removing')}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
