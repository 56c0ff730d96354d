// Settings, Sessions: ending the trust in a browser, and the trusted browsers that are signed out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, read } from '@/api/client';
import { sessionsQuery, trustedBrowsersQuery } from '@/api/queries';
import type { TrustedBrowser } from '@/api/schema.gen';
import { refusal } from '@/features/auth/failure';
import { formatDate, relativeTime } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { browserName } from './browser-name';

export function useBrowserName(userAgent: string): string {
  const { t } = useTranslation('settings');
  const name = browserName(userAgent);
  if (!name) return t('sessions.unknown');
  const { browser, system } = name;
  return system ? t('sessions.browserOn', { browser, system }) : browser;
}

interface EndTrustProps {
  /** The session of the last sign-in on the browser. */
  id: string;
  name: string;
  lastSeenAt: string;
  onEnded: () => void;
}

export function EndTrust({ id, name, lastSeenAt, onEnded }: EndTrustProps) {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const end = useChange({
    mutationFn: () => read(api.DELETE('/api/auth/trusted-browsers/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('sessions.trustEnded'), description: name }),
    failed: (error) => refusal(error).sentence ?? t('sessions.trustNotEnded'),
    onSuccess: () => {
      queryClient.setQueryData(trustedBrowsersQuery.queryKey, (browsers) =>
        browsers?.filter((other) => other.id !== id),
      );
      queryClient.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.map((session) => (session.id === id ? { ...session, trustedSince: null } : session)),
      );
      onEnded();
    },
    onError: () => {
      // The trust may have ended elsewhere.
      void queryClient.invalidateQueries(trustedBrowsersQuery);
      void queryClient.invalidateQueries(sessionsQuery);
    },
  });
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={t('sessions.endTrustOne', { name, when: relativeTime(i18n.language, lastSeenAt) })}
      busy={end.isPending}
      busyLabel={t('sessions.ending')}
      onClick={() => end.mutate()}
    >
      {t('sessions.endTrust')}
    </Button>
  );
}

/** Nothing while there are none: most members log out rarely. */
export function SignedOutBrowsers({ onEnded }: { onEnded: () => void }) {
  const { t } = useTranslation('settings');
  const heading = useId();
  const { data: browsers, isError, refetch } = useQuery(trustedBrowsersQuery);
  if (isError && !browsers)
    return (
      <div className="mt-4">
        <ErrorPanel onRetry={() => void refetch()}>{t('sessions.trustFailed')}</ErrorPanel>
      </div>
    );
  const signedOut = (browsers ?? []).filter(({ signedIn }) => !signedIn);
  if (signedOut.length === 0) return null;
  return (
    <div className="mt-4 border-t pt-4">
      <h3 id={heading} className="text-ui font-semibold">
        {t('sessions.signedOutTitle')}
      </h3>
      <p className="mt-0.5 text-caption text-pretty text-muted-foreground">{t('sessions.signedOutAbout')}</p>
      <ul aria-labelledby={heading} className="divide-y">
        {signedOut.map((browser) => (
          <SignedOutBrowser key={browser.id} trusted={browser} onEnded={onEnded} />
        ))}
      </ul>
    </div>
  );
}

function SignedOutBrowser({ trusted, onEnded }: { trusted: TrustedBrowser; onEnded: () => void }) {
  const { t, i18n } = useTranslation('settings');
  const { id, browser, address, lastSeenAt, trustedSince } = trusted;
  const name = useBrowserName(browser);
  return (
    <li className="flex justify-between gap-3 py-3 max-sm:flex-col max-sm:items-start sm:items-center">
      <div className="min-w-0">
        <p className="text-ui font-semibold" title={browser}>
          {name}
        </p>
        <p className="mt-0.5 text-caption text-muted-foreground wrap-anywhere">
          {address && <>{address} · </>}
          {t('sessions.lastSeen')} <RelativeTime at={lastSeenAt} />
        </p>
        <p className="mt-0.5 text-caption text-pretty text-muted-foreground">
          {t('sessions.trusted', { date: formatDate(i18n.language, trustedSince) })}
        </p>
      </div>
      <EndTrust id={id} name={name} lastSeenAt={lastSeenAt} onEnded={onEnded} />
    </li>
  );
}
