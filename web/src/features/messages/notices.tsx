// Why one cannot write, or not for ever.
import { Clock, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';

/** So many messages wait for an answer; the server takes no more. */
export const writableWhileWaiting = 5;

/** The other has not taken the request yet. */
export function WaitingNotice({ name, full }: { name: string; full: boolean }) {
  const { t } = useTranslation('messages');
  return (
    <Notice icon={<Clock className="icon-sm mt-0.5" aria-hidden="true" />}>
      {full ? t('waitingFull', { name }) : t('waiting', { name, most: writableWhileWaiting })}
    </Notice>
  );
}

/** The other account is gone. */
export function FormerNotice() {
  const { t } = useTranslation('messages');
  return <Notice icon={<UserRoundX className="icon-sm mt-0.5" aria-hidden="true" />}>{t('isFormer')}</Notice>;
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex shrink-0 items-start gap-2 border-t bg-muted px-4 py-3 text-caption text-pretty text-muted-foreground wrap-anywhere md:px-5">
      {icon}
      <span>{children}</span>
    </p>
  );
}
