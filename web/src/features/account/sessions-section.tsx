// Settings, Sessions: all sessions with the trust in their browsers, trusted browsers without one, and signing out everywhere.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { sessionsQuery, trustedBrowsersQuery } from '@/api/queries';
import type { OpenSession } from '@/api/schema.gen';
import { isStepUpDeclined } from '@/api/step-up';
import { whyRefused } from '@/features/auth/failure';
import { formatDate, relativeTime } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { LoadingRows } from '@/ui/skeleton';
import { SettingsSection } from './settings-section';
import { EndTrust, SignedOutBrowsers, useBrowserName } from './trusted-browsers';

/** Further sessions are shown on request; there may be a hundred. */
const shownAtFirst = 5;

export function SessionsSection() {
  const { t } = useTranslation('settings');
  const heading = useRef<HTMLHeadingElement>(null);
  const { leave } = useAuth();
  const { data: sessions, isPending, refetch } = useQuery(sessionsQuery);
  const [all, setAll] = useState(false);
  const signOut = useChange({
    mutationFn: () => read(api.DELETE('/api/auth/sessions')),
    done: () => ({ title: t('sessions.allEnded'), description: t('sessions.allEndedText') }),
    failed: (error) => whyRefused(error, t('sessions.notEnded')),
    onSuccess: leave,
  });

  return (
    <SettingsSection
      anchor="security"
      title={t('sessions.title')}
      about={t('sessions.about')}
      headingRef={heading}
    >
      {isPending ? (
        <SessionsSkeleton />
      ) : sessions ? (
        <ul className="-mt-1 divide-y">
          {(all ? sessions : sessions.slice(0, shownAtFirst)).map((session) => (
            <SessionRow key={session.id} session={session} onEnded={() => heading.current?.focus()} />
          ))}
        </ul>
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('sessions.failed')}</ErrorPanel>
      )}
      <SignedOutBrowsers onEnded={() => heading.current?.focus()} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          variant="outline"
          busy={signOut.isPending}
          busyLabel={t('sessions.ending')}
          onClick={() => signOut.mutate()}
        >
          {t('sessions.endAll')}
        </Button>
        {sessions && !all && sessions.length > shownAtFirst && (
          <Button variant="ghost" onClick={() => setAll(true)}>
            {t('sessions.showAll', { count: sessions.length })}
          </Button>
        )}
      </div>
    </SettingsSection>
  );
}

function SessionRow({ session, onEnded }: { session: OpenSession; onEnded: () => void }) {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const { id, browser, address, lastSeenAt, current, trustedSince } = session;
  const name = useBrowserName(browser);
  const end = useChange({
    mutationFn: () => read(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('sessions.ended'), description: name }),
    failed: (error) => whyRefused(error, t('sessions.notEnded')),
    onSuccess: () => {
      queryClient.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter((other) => other.id !== id),
      );
      // The trust in its browser ended with it.
      void queryClient.invalidateQueries(trustedBrowsersQuery);
      onEnded();
    },
    // The session may have ended elsewhere. Not after a declined proof.
    onError: (error) => !isStepUpDeclined(error) && void queryClient.invalidateQueries(sessionsQuery),
  });
  const seen = { name, when: relativeTime(i18n.language, lastSeenAt) };
  return (
    <li
      className={`flex justify-between gap-3 py-3 ${trustedSince ? 'max-sm:flex-col sm:items-center' : 'items-center'}`}
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-semibold" title={browser}>
          {name}
          {current && <Badge tone="green">{t('sessions.current')}</Badge>}
        </p>
        <p className="mt-0.5 text-caption text-muted-foreground wrap-anywhere">
          {address && <>{address} · </>}
          {t('sessions.lastSeen')} <RelativeTime at={lastSeenAt} />
        </p>
        {trustedSince && (
          <p className="mt-0.5 text-caption text-pretty text-muted-foreground">
            {t('sessions.trusted', { date: formatDate(i18n.language, trustedSince) })}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 sm:shrink-0 sm:flex-col">
        {!current && (
          <Button
            variant="outline"
            size="sm"
            aria-label={t('sessions.endOne', seen)}
            busy={end.isPending}
            busyLabel={t('sessions.ending')}
            onClick={() => end.mutate()}
          >
            {t('sessions.end')}
          </Button>
        )}
        {trustedSince && <EndTrust id={id} name={name} lastSeenAt={lastSeenAt} onEnded={onEnded} />}
      </div>
    </li>
  );
}

function SessionsSkeleton() {
  return (
    <LoadingRows
      count={2}
      className="space-y-6 py-2"
      row="space-y-2"
      bars={['h-3.5 w-48 max-w-full', 'h-3 w-64 max-w-full']}
    />
  );
}
