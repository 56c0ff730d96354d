// 'New message': the members of the conversations, and all members by name; a press opens the conversation.
import { useNavigate } from 'react-router';
import type { User } from '@/api/schema.gen';
import { useOpenConversation } from '@/features/network/open-conversation';
import { type Partner, PartnerField, PartnerResults, usePartners } from '@/features/network/partners';
import { useTranslation } from '@/i18n/use-translation';
import { threadIn } from '@/message-paths';
import { Dialog } from '@/ui/dialog';
import { PersonLabel } from './person-label';

interface NewMessageDialogProps {
  me: User;
  open: boolean;
  onClose: () => void;
}

/** Also needs the texts of `network`. */
export function NewMessageDialog({ me, open, onClose }: NewMessageDialogProps) {
  const { t } = useTranslation('messages');
  const search = usePartners(me);
  const { partners } = search;
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('newMessage')}>
      <div className="space-y-3 pb-4">
        <PartnerField search={search} label={t('findMembers')} />
        <PartnerResults
          search={search}
          failed={t('membersFailed')}
          noMatch={t('noMembersFound')}
          none={t('noPartners')}
        >
          {partners.length > 0 && (
            <ul aria-label={t('membersFound')} className="-mx-2">
              {partners.map((partner) => (
                <PartnerRow key={partner.person.id} partner={partner} onDone={onClose} />
              ))}
            </ul>
          )}
        </PartnerResults>
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
