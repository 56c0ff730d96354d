// A search for members to write to: members with a conversation first, then members by name.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { conversationsQuery } from '@/api/conversations';
import { itemsOf } from '@/api/pages';
import { queryLimits } from '@/api/query-limits.gen';
import type { Author, User } from '@/api/schema.gen';
import { foundQuery } from '@/api/search';
import { ErrorPanel } from '@/ui/error-panel';
import { TextField } from '@/ui/field';
import { LoadingRows } from '@/ui/skeleton';
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

interface PartnerFieldProps {
  search: PartnerSearch;
  label: string;
  error?: string;
}

export function PartnerField({ search, label, error }: PartnerFieldProps) {
  return (
    <TextField
      label={label}
      error={error}
      type="search"
      autoComplete="off"
      maxLength={queryLimits.listConversations.search.max}
      value={search.typed}
      onChange={({ target }) => search.setTyped(target.value)}
    />
  );
}

interface PartnerResultsProps {
  search: PartnerSearch;
  /** Says that the search failed. */
  failed: string;
  /** Says that no member has the typed name. */
  noMatch: string;
  /** Says that there is no member without a name. */
  none: string;
  /** The list of members; null if it is empty. */
  children: ReactNode;
}

export function PartnerResults({ search, failed, noMatch, none, children }: PartnerResultsProps) {
  if (search.isPending) return <LoadingRows className="space-y-3" bars={['h-11']} />;
  if (children) return children;
  if (search.failed) return <ErrorPanel onRetry={search.retry}>{failed}</ErrorPanel>;
  return (
    <p role="status" className="py-4 text-center text-ui text-muted-foreground">
      {search.typed.trim() ? noMatch : none}
    </p>
  );
}
