// Notices why the member cannot write, or only a limited number of messages.
import { Clock, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';

/** The server's limit of messages in an unanswered request. */
export const messagesInRequest = 5;

/** The other member has not accepted the request yet. */
export function WaitingNotice({ name, full }: { name: string; full: boolean }) {
  const { t } = useTranslation('messages');
  return (
    <Notice icon={<Clock className="icon-sm mt-0.5" aria-hidden="true" />}>
      {full ? t('waitingFull', { name }) : t('waiting', { name, most: messagesInRequest })}
    </Notice>
  );
}

/** The other account is deleted. */
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
