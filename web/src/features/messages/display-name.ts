// The other member of a conversation, with a localised name for a deleted account; or its group, as one card.
import type { Conversation, OtherUser } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { groupName } from './group-name';

export function useDisplayName({ otherUser, group }: Pick<Conversation, 'otherUser' | 'group'>): OtherUser {
  const { t, i18n } = useTranslation('messages');
  if (group) {
    const headline = t('memberCount', { count: group.memberCount });
    const fullName = groupName(group, i18n.language) ?? t('you');
    return { id: null, fullName, headline, avatarUrl: null };
  }
  if (otherUser?.id) return otherUser;
  return { headline: null, avatarUrl: null, ...otherUser, id: null, fullName: t('former') };
}
