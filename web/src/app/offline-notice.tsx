// Says that the gateway cannot be reached and that saved copies are on screen; reads everything again on its return.
import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { isGatewayReachable, keepAnswer, reachabilityListeners, setReachable } from '@/api/reachability';
import type { User } from '@/api/schema.gen';
import { sessionQuery } from '@/api/session';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveEvent } from '@/live/events';
import { threadPattern } from './navigation';
import { followNotifications, registerServiceWorker } from './service-worker';

const atBottom =
  'bottom-[calc(0.75rem+env(safe-area-inset-bottom))] max-md:bottom-[calc(var(--bottom-bar-height)+0.75rem+env(safe-area-inset-bottom))]';
/** Below the header of the thread: at the bottom are the newest messages and the composer. */
const inThread = 'top-34 md:top-40';

/** Returns what is unreachable: any network, as the browser reports, or only the gateway; null if neither is. */
function unreachable(): 'network' | 'gateway' | null {
  if (navigator.onLine === false) return 'network';
  return isGatewayReachable() ? null : 'gateway';
}

function onReachability(listener: () => void): () => void {
  reachabilityListeners.add(listener);
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', listener);
  return () => {
    reachabilityListeners.delete(listener);
    window.removeEventListener('offline', listener);
  };
}

/** The next request finds out. */
const onOnline = () => setReachable(true);

export function OfflineNotice({ member }: { member: User }) {
  const { t } = useTranslation('member');
  const queryClient = useQueryClient();
  const missing = useSyncExternalStore(onReachability, unreachable);
  const isReachable = missing === null;
  const wasReachable = useRef(isReachable);

  const isThread = useMatch(threadPattern) !== null;
  const navigate = useNavigate();
  useEffect(() => registerServiceWorker(member.id), [member.id]);
  useEffect(() => followNotifications((path) => void navigate(path)), [navigate]);
  useEffect(() => keepAnswer('/api/auth/me', member), [member]);
  // The stream is open again.
  useLiveEvent(({ kind }) => {
    if (kind === 'hello' && unreachable()) setReachable(true);
  });
  useEffect(() => {
    // Copies and failures on screen are replaced. The stream checks the session when it opens.
    if (isReachable && !wasReachable.current)
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
      });
    wasReachable.current = isReachable;
  }, [isReachable, queryClient]);

  return (
    <p
      role="status"
      className={`pointer-events-none fixed inset-x-0 z-(--z-header) flex justify-center px-4 print:hidden ${isThread ? inThread : atBottom}`}
    >
      {missing && (
        <span className="flex items-center gap-2 rounded-full border bg-card px-4 py-2 text-caption font-medium shadow-md">
          <CloudOff className="icon-sm shrink-0 text-muted-foreground" />
          {t(`offline.${missing}`)}
        </span>
      )}
    </p>
  );
}
