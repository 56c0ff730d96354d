// 'New message': the members of the conversations, and all members by name; a press opens the conversation.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { limits } from '@/api/limits.gen';
import type { User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { Loading, Skeleton } from '@/ui/skeleton';
import { useDebounced } from '@/ui/use-debounced';
import { threadIn } from './addresses';
import { useOpenConversation } from './open-conversation';
import { type Partner, usePartners } from './partners';
import { PersonLabel } from './person-label';

const longestName = limits.listConversations.search.max;
/** The debounce of the name search, in milliseconds. */
const pause = 300;

interface NewMessageDialogProps {
  me: User;
  open: boolean;
  onClose: () => void;
}

/** Also needs the texts of `network`. */
export function NewMessageDialog({ me, open, onClose }: NewMessageDialogProps) {
  const { t } = useTranslation('messages');
  const [name, setName] = useState('');
  const { partners, isPending, failed } = usePartners(me, useDebounced(name.trim(), pause));
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('newMessage')}>
      <div className="space-y-3 pb-4">
        <TextField
          label={t('findMembers')}
          type="search"
          autoComplete="off"
          maxLength={longestName}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {isPending ? (
          <Loading className="space-y-3">
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} className="h-11" />
            ))}
          </Loading>
        ) : partners.length > 0 ? (
          <ul aria-label={t('membersFound')} className="-mx-2">
            {partners.map((partner) => (
              <PartnerRow key={partner.person.id} partner={partner} onDone={onClose} />
            ))}
          </ul>
        ) : (
          <p role="status" className="py-4 text-center text-ui text-muted-foreground">
            {t(failed ? 'membersFailed' : name.trim() ? 'noMembersFound' : 'noPartners')}
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface PartnerRowProps {
  partner: Partner;
  onDone: () => void;
}

/** Opens the existing conversation at once, and creates one with another member first. */
function PartnerRow({ partner: { person, conversationId }, onDone }: PartnerRowProps) {
  const navigate = useNavigate();
  const create = useOpenConversation();
  const press = () => {
    if (create.isPending) return;
    if (!conversationId) return create.mutate(person, { onSuccess: onDone });
    onDone();
    void navigate(threadIn('inbox', conversationId));
  };
  return (
    <li>
      <button
        type="button"
        aria-disabled={create.isPending}
        className="flex w-full cursor-pointer items-center gap-3 rounded-md p-2 text-left -outline-offset-2 hover:bg-hover"
        onClick={press}
      >
        <PersonLabel person={person} />
      </button>
    </li>
  );
}
