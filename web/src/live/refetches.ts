// The table of events and the parts of the cache that they invalidate.
import type { QueryClient } from '@tanstack/react-query';
import { conversationLists, hasMessage, refetchNewest, threadKey } from '@/api/conversations';
import { notificationsQuery, unreadQuery } from '@/api/queries';
import type { LiveEvent, LiveKind } from './events';

interface Refetch {
  /** Deduplicates refetches. */
  name: string;
  run: (queryClient: QueryClient) => Promise<unknown>;
}

/** Everything with this key prefix: active queries at once, the others on their next use. */
const all = (queryKey: readonly string[]): Refetch => ({
  name: queryKey.join(' '),
  run: (queryClient) => queryClient.invalidateQueries({ queryKey }),
});

const lists = all(conversationLists);
/** Only the first page, which has the newest items: one message does not refetch a long list. */
const newest: Refetch = { name: 'newest', run: refetchNewest };
const thread = (id: string) => all(threadKey(id));
const unread = all(unreadQuery.queryKey);
const notifications = all(notificationsQuery.queryKey);

/** The receiver of events; changes by this tab are in its cache already. */
interface Receiver {
  memberId: string;
  queryClient: QueryClient;
}

type Refetches = { [Kind in LiveKind]: (event: LiveEvent<Kind>, receiver: Receiver) => Refetch[] };

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

function refetchesOf(event: LiveEvent, receiver: Receiver): Refetch[] {
  // The kind selects the function for this event.
  return refetches[event.kind](event as never, receiver);
}

/** Refetches at once, and once more if events arrived meanwhile: a burst of events causes two requests. */
export function refetcher(receiver: Receiver): (event: LiveEvent) => void {
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
      // A failure is shown by the query's component and retried there: see `retryIntervalWithData`.
      await run(receiver.queryClient).catch(() => undefined);
    }
    running.delete(name);
  };
  return (event) => {
    for (const refetch of refetchesOf(event, receiver)) void start(refetch);
  };
}
