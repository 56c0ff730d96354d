// Says below the button of a form that the browser does a short check first.
import { useSyncExternalStore } from 'react';
import { isProving, provingListeners } from '@/api/proof-status';
import { useTranslation } from '@/i18n/use-translation';

function subscribe(listener: () => void) {
  provingListeners.add(listener);
  return () => provingListeners.delete(listener);
}

export function ProofStatus({ text }: { text: 'proofOfWork' | 'proofOfAttempt' }) {
  const { t } = useTranslation('auth');
  const proves = useSyncExternalStore(subscribe, isProving);
  return (
    <p role="status" className="mt-2 text-caption text-pretty text-muted-foreground empty:mt-0">
      {proves && t(text)}
    </p>
  );
}
