// One table: which event makes which part of the cache old.
import type { QueryClient } from '@tanstack/react-query';
import { conversationLists, hasMessage, refetchNewest, threadKey } from '@/api/conversations';
import { notificationsQuery, unreadQuery } from '@/api/queries';
import type { LiveEvent, LiveKind } from './events';

interface Refetch {
  /** What is fetched twice is told by this. */
  name: string;
  run: (queryClient: QueryClient) => Promise<unknown>;
}

/** Everything whose key starts like this: what is on screen at once, the rest when it is next opened. */
const all = (queryKey: readonly string[]): Refetch => ({
  name: queryKey.join(' '),
  run: (queryClient) => queryClient.invalidateQueries({ queryKey }),
});

const lists = all(conversationLists);
/** Only the first page of them, on which the news stands: a long list is not fetched anew for one message. */
const newest: Refetch = { name: 'newest', run: refetchNewest };
const thread = (id: string) => all(threadKey(id));
const unread = all(unreadQuery.queryKey);
const notifications = all(notificationsQuery.queryKey);

/** Who hears it: what a member did in this tab is there already. */
interface Hearer {
  memberId: string;
  queryClient: QueryClient;
}

type Refetches = { [Kind in LiveKind]: (event: LiveEvent<Kind>, hearer: Hearer) => Refetch[] };

const refetches: Refetches = {
  hello: () => [all(['/api/conversations']), unread, notifications],
  message: ({ conversationId, messageId, userId }, { memberId, queryClient }) => [
    newest,
    ...(hasMessage(queryClient, conversationId, messageId) ? [] : [thread(conversationId)]),
    ...(userId === memberId ? [] : [unread]),
  ],
  'conversation-read': ({ conversationId, userId }, { memberId }) =>
    userId === memberId ? [lists, unread] : [thread(conversationId)],
  conversation: ({ conversationId }) => [lists, thread(conversationId), unread],
  notification: () => [notifications, unread],
  typing: () => [],
};

function refetchesOf(event: LiveEvent, hearer: Hearer): Refetch[] {
  // The kind chooses the function that takes this event.
  return refetches[event.kind](event as never, hearer);
}

/** Refetches at once, and once more if anything came meanwhile: a burst of events is no burst of requests. */
export function refetcher(hearer: Hearer): (event: LiveEvent) => void {
  const running = new Map<string, { again: boolean }>();
  const start = async ({ name, run }: Refetch) => {
    const turn = running.get(name);
    if (turn) {
      turn.again = true;
      return;
    }
    const mine = { again: true };
    running.set(name, mine);
    while (mine.again) {
      mine.again = false;
      // What fails here fails where it is shown, and is asked for again there: see `untilRead`.
      await run(hearer.queryClient).catch(() => undefined);
    }
    running.delete(name);
  };
  return (event) => {
    for (const refetch of refetchesOf(event, hearer)) void start(refetch);
  };
}
