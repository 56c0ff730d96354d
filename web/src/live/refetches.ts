// The catalogue of events and the updates of the cache that follow. An event names what changed; the client reads it again
// with the member's own authorisation.
import type { QueryClient } from '@tanstack/react-query';
import { rereadApplication } from '@/api/applications';
import { manageKey, rereadCommunity } from '@/api/communities';
import { rereadConnectionCount } from '@/api/connection-count';
import { conversationLists, hasMessage, refetchNewest, threadKey } from '@/api/conversations';
import { rereadEvent } from '@/api/events';
import { rereadMessage } from '@/api/messages';
import {
  findNewPosts,
  hasCommunities,
  hasPublicPosts,
  listsOnScreen,
  newPostsQuery,
  type PostListName,
  shownLists,
} from '@/api/new-posts';
import { cachedPost, rereadComments, rereadPost } from '@/api/posts';
import {
  connectionQuery,
  connectionsQuery,
  notificationsQuery,
  ownInvitationsQuery,
  pendingRequestsQuery,
  profileQuery,
  suggestionsQuery,
  unreadQuery,
} from '@/api/queries';
import { sessionQuery } from '@/api/session';
import type { LiveEvent, LiveKind, PostVersion } from './events';

interface Refetch {
  /** Deduplicates refetches. */
  name: string;
  run: (queryClient: QueryClient) => Promise<unknown>;
}

/** Everything with this key prefix: active queries at once, the others on their next use. */
const all = (queryKey: readonly unknown[]): Refetch => ({
  name: JSON.stringify(queryKey),
  run: (queryClient) => queryClient.invalidateQueries({ queryKey }),
});

/** On the next use only: the list on screen does not move. */
const later = (queryKey: readonly unknown[]): Refetch => ({
  name: `later ${JSON.stringify(queryKey)}`,
  run: (queryClient) => queryClient.invalidateQueries({ queryKey, refetchType: 'none' }),
});

const one = (
  kind: string,
  id: string,
  run: (queryClient: QueryClient, id: string) => Promise<unknown>,
): Refetch => ({
  name: `${kind} ${id}`,
  run: (queryClient) => run(queryClient, id),
});

const lists = all(conversationLists);
/** Only the first page, which has the newest items: one message does not refetch a long list. */
const newest: Refetch = { name: 'newest', run: refetchNewest };
const thread = (id: string) => all(threadKey(id));
const unread = all(unreadQuery.queryKey);
const notifications = all(notificationsQuery.queryKey);

/** Connections and requests of the member. */
const ofConnections = (me: string): Refetch[] => [
  all(pendingRequestsQuery(me).queryKey),
  all(connectionsQuery(me).queryKey),
  one('connection count', me, rereadConnectionCount),
];

const post = (id: string) => one('post', id, rereadPost);
const comments = (id: string) => one('comments', id, rereadComments);

/** Milliseconds between two searches for new posts of a list whose notice shows some already: their number may lag behind. */
const betweenSearches = 5_000;

const newPosts = (list: PostListName, since: string): Refetch => ({
  name: `new posts ${list}`,
  run: async (queryClient) => {
    await untilVisible();
    const before = Date.now();
    const found = await findNewPosts(queryClient, list, since);
    if (found > 0) await untilShown(queryClient, list, betweenSearches - (Date.now() - before));
  },
});

/** The lists on screen that may contain a new post of the list of the event. */
const listsWith = (named: PostListName, queryClient: QueryClient): PostListName[] =>
  shownLists(queryClient).filter(
    (list) =>
      list === named ||
      (named === 'feed' ? hasPublicPosts(list) : named.startsWith('community:') && hasCommunities(list)),
  );

/** New posts since the newest one of each list on screen. */
const newPostsOnScreen = (queryClient: QueryClient): Refetch[] =>
  listsOnScreen(queryClient).map(({ list, since }) => newPosts(list, since));

/** Single entities that events keep current. */
const shownElsewhere = [
  all(['/api/communities', 'one']),
  all(['/api/events', 'one']),
  all(['/api/jobs/applications']),
  all(['/api/users']),
];

/** Waits until the member shows the new posts of a list, at most so long. */
function untilShown(queryClient: QueryClient, list: PostListName, milliseconds: number): Promise<void> {
  const { queryKey } = newPostsQuery(list);
  return new Promise((done) => {
    const unsubscribe = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.getQueryData(queryKey) === null) finish();
    });
    const timeout = setTimeout(finish, milliseconds);
    function finish() {
      clearTimeout(timeout);
      unsubscribe();
      done();
    }
  });
}

/** A hidden tab does not search: all tabs of all members would, for every post. */
function untilVisible(): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((done) => {
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      done();
    };
    document.addEventListener('visibilitychange', check);
  });
}

/** The receiver of events; changes by this tab are in its cache already. */
interface Receiver {
  memberId: string;
  queryClient: QueryClient;
  /** After an interruption of the stream. The first `hello` follows the first requests of the screen immediately. */
  isReconnected?: boolean;
}

type Refetches = { [Kind in LiveKind]: (event: LiveEvent<Kind>, receiver: Receiver) => Refetch[] };

const refetches: Refetches = {
  hello: (_, { memberId, queryClient, isReconnected }) => [
    all(['/api/conversations']),
    unread,
    notifications,
    all(['/api/connections']),
    all(connectionsQuery(memberId).queryKey),
    // The gateway sends the state of the posts on screen: see `versions`.
    ...(isReconnected ? [...shownElsewhere, ...newPostsOnScreen(queryClient)] : []),
  ],
  message: ({ conversationId, messageId, userId }, { memberId, queryClient }) => [
    newest,
    ...(hasMessage(queryClient, conversationId, messageId) ? [] : [thread(conversationId)]),
    ...(userId === memberId ? [] : [unread]),
  ],
  'message-changed': ({ conversationId, messageId }) => [
    one('message', messageId, (queryClient) => rereadMessage(queryClient, conversationId, messageId)),
  ],
  'conversation-read': ({ conversationId, userId }, { memberId }) =>
    userId === memberId ? [lists, unread] : [thread(conversationId)],
  conversation: ({ conversationId }) => [lists, thread(conversationId), unread],
  notification: () => [notifications, unread],
  typing: () => [],
  connection: ({ requesterId, recipientId }, { memberId }) => [
    all(connectionQuery(memberId, requesterId === memberId ? recipientId : requesterId).queryKey),
    ...ofConnections(memberId),
    later(suggestionsQuery(memberId).queryKey),
  ],
  post: (event, { queryClient }) =>
    event.list === null
      ? [post(event.postId)]
      : listsWith(event.list as PostListName, queryClient).map((list) => newPosts(list, event.since)),
  comment: ({ postId }) => [comments(postId)],
  reaction: ({ postId }) => [post(postId)],
  membership: ({ communityId }) => [
    one('community', communityId, rereadCommunity),
    all(ownInvitationsQuery.queryKey),
    all(manageKey(communityId)),
  ],
  event: ({ eventId }) => [one('event', eventId, rereadEvent)],
  application: ({ applicationId }) => [one('application', applicationId, rereadApplication)],
  profile: ({ userId }, { memberId }) => [
    all(profileQuery(userId).queryKey),
    all(['/api/users', 'one', userId, 'endorsements']),
    ...(userId === memberId ? [all(sessionQuery.queryKey)] : []),
  ],
  versions: ({ posts }, { queryClient }) =>
    posts.filter((version) => isOlder(queryClient, version)).map(({ id }) => comments(id)),
};

/** Whether the cached post differs from the one on the server. */
function isOlder(queryClient: QueryClient, version: PostVersion): boolean {
  const cached = cachedPost(queryClient, version.id);
  const counters = ['likeCount', 'commentCount', 'shareCount'] as const;
  return (
    cached !== undefined &&
    (counters.some((counter) => cached[counter] !== version[counter]) ||
      timeOf(cached.editedAt) !== timeOf(version.editedAt))
  );
}

const timeOf = (at: string | null) => at && Date.parse(at);

function refetchesOf(event: LiveEvent, receiver: Receiver): Refetch[] {
  // The kind selects the function for this event.
  return refetches[event.kind](event as never, receiver);
}

/** Refetches at once, and once more if events arrived meanwhile: a burst of events causes two requests. */
export function refetcher(receiver: Receiver): (event: LiveEvent) => void {
  const running = new Map<string, { again: boolean; latest: Refetch['run'] }>();
  const start = async ({ name, run }: Refetch) => {
    const turn = running.get(name);
    if (turn) {
      turn.again = true;
      turn.latest = run;
      return;
    }
    const mine = { again: true, latest: run };
    running.set(name, mine);
    let next = run;
    while (mine.again) {
      mine.again = false;
      try {
        await next(receiver.queryClient);
        // Not after a failure: it looks for new posts since a later time.
        next = mine.latest;
      } catch {
        // A failure is shown by the query's component and retried there: see `retryIntervalWithData`.
      }
    }
    running.delete(name);
  };
  let hadHello = false;
  return (event) => {
    for (const refetch of refetchesOf(event, { ...receiver, isReconnected: hadHello })) void start(refetch);
    hadHello ||= event.kind === 'hello';
  };
}
