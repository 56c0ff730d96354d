// The other member of a conversation, with a localised name for a deleted account; or its group, as one card.

import type { Conversation, Group, OtherUser } from '@/api/types';
import { listOf } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

/** Needs the texts of `messages`. */
export function useDisplayName({ otherUser, group }: Pick<Conversation, 'otherUser' | 'group'>): OtherUser {
  const { t, i18n } = useTranslation('messages');
  if (group) {
    const headline = t('memberCount', { count: group.memberCount });
    return { id: null, fullName: groupName(group, i18n.language, t('you')), headline, avatarUrl: null };
  }
  if (otherUser?.id) return otherUser;
  return { headline: null, avatarUrl: null, ...otherUser, id: null, fullName: t('former') };
}

/** The title, else the first names of the other members. */
function groupName({ title, members, memberCount }: Group, language: string, you: string): string {
  if (title) return title;
  const names = members.map(({ fullName }) => fullName);
  const more = memberCount - 1 - names.length;
  return names.length === 0 ? you : listOf(language, more > 0 ? [...names, `+${more}`] : names);
}
