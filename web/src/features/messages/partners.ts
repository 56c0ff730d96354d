// Members to write to: those with a conversation first, then members by name.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { conversationsQuery } from '@/api/conversations';
import { itemsOf } from '@/api/pages';
import { foundQuery } from '@/api/search';
import type { Author, User } from '@/api/types';
import { useDebounced } from '@/ui/use-debounced';

/** The debounce of the name search, in milliseconds. */
const pause = 300;

export interface Partner {
  person: Author;
  /** The existing conversation with this member. */
  conversationId: string | null;
}

/** Members with a conversation come first; the search covers all members. */
export function usePartners(me: User) {
  const [typed, setTyped] = useState('');
  const name = useDebounced(typed.trim(), pause);
  const conversations = useInfiniteQuery({
    ...conversationsQuery('inbox', name),
    placeholderData: keepPreviousData,
  });
  const found = useInfiniteQuery({ ...foundQuery('people', name), enabled: name !== '' });
  const partners = new Map<string, Partner>();
  for (const { id: conversationId, otherUser } of itemsOf(conversations.data)) {
    if (otherUser?.id)
      partners.set(otherUser.id, { person: { ...otherUser, id: otherUser.id }, conversationId });
  }
  for (const person of itemsOf(found.data)) {
    if (person.id !== me.id && !partners.has(person.id))
      partners.set(person.id, { person, conversationId: null });
  }
  return {
    typed,
    setTyped,
    partners: [...partners.values()],
    isPending: partners.size === 0 && (conversations.isPending || found.isFetching),
    failed: conversations.isError || found.isError,
    retry: () => {
      for (const query of [conversations, found]) if (query.isError) void query.refetch();
    },
  };
}

export type PartnerSearch = ReturnType<typeof usePartners>;
