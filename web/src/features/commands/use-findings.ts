// The people, conversations, communities, events and topics whose names match the text in the palette.
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Calendar, Hash, Landmark, UsersRound } from 'lucide-react';
import { useNavigate } from 'react-router';
import { conversationsQuery } from '@/api/conversations';
import { itemsOf } from '@/api/pages';
import type { Conversation } from '@/api/schema.gen';
import { suggestedInPalette, suggestQuery } from '@/api/search';
import { groupName } from '@/features/messages/group-name';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useDebounced } from '@/ui/use-debounced';
import type { Command, CommandGroup } from './command';

/** The debounce, in milliseconds. */
const pause = 200;

interface Findings {
  groups: CommandGroup[];
  /** The server has answered for this text, or does not answer. */
  isSettled: boolean;
}

/** One round of two requests, once the member stops typing. For members only. */
export function useFindings(q: string, isMember: boolean): Findings {
  const navigate = useNavigate();
  const conversationCommand = useConversationCommand();
  const asked = useDebounced(q, pause);
  const options = { enabled: isMember && asked !== '', placeholderData: keepPreviousData };
  const search = useQuery({ ...suggestQuery(asked, suggestedInPalette), ...options });
  const conversations = useInfiniteQuery({ ...conversationsQuery('inbox', asked), ...options });
  if (!isMember || !q) return { groups: [], isSettled: true };
  const found = search.data;
  const open = (to: string) => () => void navigate(to);
  return {
    isSettled: asked === q && isAnswered(search) && isAnswered(conversations),
    groups: [
      {
        name: 'people',
        commands: (found?.people ?? []).map((person) => ({
          key: person.id,
          label: person.fullName,
          about: person.headline ?? person.school,
          person,
          run: open(paths.profile(person.id)),
        })),
      },
      {
        name: 'conversations',
        commands: itemsOf(conversations.data).slice(0, suggestedInPalette).flatMap(conversationCommand),
      },
      {
        name: 'communities',
        commands: (found?.communities ?? []).map(({ id, name, description }) => ({
          key: id,
          label: name,
          about: description,
          icon: Landmark,
          run: open(paths.community(id)),
        })),
      },
      {
        name: 'events',
        commands: (found?.events ?? []).map(({ id, title, location }) => ({
          key: id,
          label: title,
          about: location,
          icon: Calendar,
          run: open(paths.event(id)),
        })),
      },
      {
        name: 'topics',
        commands: (found?.topics ?? []).map(({ topic }) => ({
          key: `topic-${topic}`,
          label: `#${topic}`,
          icon: Hash,
          run: open(paths.topic(topic)),
        })),
      },
    ],
  };
}

/** A request that failed once or waits for the network counts: Enter must not wait for it. */
function isAnswered({
  isSuccess,
  isPlaceholderData,
  failureCount,
  fetchStatus,
}: Pick<UseQueryResult, 'isSuccess' | 'isPlaceholderData' | 'failureCount' | 'fetchStatus'>): boolean {
  return (isSuccess && !isPlaceholderData) || failureCount > 0 || fetchStatus === 'paused';
}

/** None for a conversation without a name: with a deleted account, or a group without others. */
function useConversationCommand(): (conversation: Conversation) => Command[] {
  const { t, i18n } = useTranslation('commands');
  const navigate = useNavigate();
  return ({ id, otherUser, group }) => {
    const run = () => void navigate(paths.thread(id));
    if (group) {
      const label = groupName(group, i18n.language);
      return label ? [{ key: id, label, about: t('group'), icon: UsersRound, run }] : [];
    }
    if (!otherUser?.id) return [];
    const person = { ...otherUser, id: otherUser.id };
    return [{ key: id, label: otherUser.fullName, about: t('conversation'), person, run }];
  };
}
