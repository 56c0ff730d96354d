// The dialog that invites several members to a community.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import { communityModerated } from '@/api/community-moderation';
import type { Author, CommunityDetails, User } from '@/api/schema.gen';
import { MemberPicker } from '@/features/messages/member-picker';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { SubmitDialog } from '@/ui/submit-dialog';

/** The most members in one go. */
const most = 20;

interface InviteDialogProps {
  me: User;
  community: CommunityDetails;
  open: boolean;
  onClose: () => void;
}

/** Needs the texts of `manage` and `messages`. */
export function InviteDialog({ me, community: { id, name }, open, onClose }: InviteDialogProps) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Author[]>([]);
  const [tried, setTried] = useState(false);
  const invite = useChange({
    // One after the other: the first refusal, for example of too many invitations, concerns the others as well.
    mutationFn: async () => {
      for (const [n, member] of chosen.entries()) {
        try {
          await api.PUT('/api/communities/{id}/invitations/{memberId}', {
            params: { path: { id, memberId: member.id } },
          });
        } catch (error) {
          setChosen(chosen.slice(n));
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(t('inviteFailed', { name: member.fullName, message: reason }));
        }
      }
    },
    done: () => ({ title: t('invited', { count: chosen.length, name }) }),
    failed: ({ message }) => message,
    onSuccess: onClose,
    onSettled: () => communityModerated(queryClient, id),
  });
  const submit = () => {
    setTried(true);
    if (chosen.length > 0) invite.mutate();
  };
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={chosen.length > 0}
      busy={invite.isPending}
      title={t('inviteTitle', { name })}
      footerLine
      send={t('invite')}
      sending={t('inviting')}
      onSubmit={submit}
      className="space-y-4 pb-4"
    >
      <MemberPicker
        me={me}
        chosen={chosen}
        onChange={setChosen}
        most={most}
        full={t('inviteFull')}
        error={tried && chosen.length === 0 ? t('inviteNone') : undefined}
      />
    </SubmitDialog>
  );
}
