// Each live event about something on screen: the client reads it again and updates every cached copy in place.
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from '@/api/client';
import { conversationsQuery, type Thread, threadKey } from '@/api/conversations';
import { newPostsQuery, showNewPosts } from '@/api/new-posts';
import { itemsOf } from '@/api/pages';
import {
  applicationsQuery,
  communitiesQuery,
  communityQuery,
  eventQuery,
  eventsQuery,
  jobQuery,
  postQuery,
  postsQuery,
  profileQuery,
} from '@/api/queries';
import { createQueryClient } from '@/api/query-client';
import { savedItemsQuery } from '@/api/saved';
import type { Comment, Community, Event, JobApplication, Post, SavedItem } from '@/api/schema.gen';
import { communityOf } from '@/testing/communities';
import { eventOf } from '@/testing/events';
import { eventually } from '@/testing/eventually';
import { applicationOf, jobOf } from '@/testing/jobs';
import { conversationId, conversationOf, messageOf } from '@/testing/messages';
import { commentOf, postOf, priya } from '@/testing/posts';
import { isabel, problem, profileOf, server } from '@/testing/server';
import { setVisibility } from '@/testing/stream';
import type { LiveEvent } from './events';
import { refetcher } from './refetches';

let queryClient = createQueryClient();
let receive: (event: LiveEvent) => void;

beforeEach(() => {
  queryClient = createQueryClient();
  receive = refetcher({ memberId: isabel.id, queryClient });
});

const pages = <Item>(...items: Item[]) => {
  const page: Page<Item> = { items, next: null, total: null, degraded: false };
  return { pages: [page], pageParams: [null] };
};

const post = postOf();
const other = postOf({ id: 'other' });
const feed = postsQuery({ sort: 'relevant' }).queryKey;
const ofAuthor = postsQuery({ userId: post.user.id }).queryKey;

const posts = (queryKey: typeof feed) => itemsOf<Post>(queryClient.getQueryData(queryKey));
const readAgain = (answer: () => Response) => server.use(http.get('/api/posts/:id', answer));

describe('a post', () => {
  beforeEach(() => {
    queryClient.setQueryData(feed, pages(other, post));
    queryClient.setQueryData(ofAuthor, pages(post));
    queryClient.setQueryData(postQuery(post.id).queryKey, post);
    queryClient.setQueryData(
      savedItemsQuery().queryKey,
      pages({
        kind: 'post' as const,
        id: post.id,
        savedAt: post.createdAt,
        post,
        job: null,
        article: null,
        resource: null,
        event: null,
      }),
    );
  });

  test.each<[string, LiveEvent, Partial<Post>]>([
    ['post: an edit', { kind: 'post', postId: post.id, list: null, since: null }, { content: 'Edited.' }],
    [
      'comment: a new comment',
      { kind: 'comment', postId: post.id },
      { commentCount: 1, comments: [commentOf('Noted.') as Comment] },
    ],
    ['reaction: a new like', { kind: 'reaction', postId: post.id }, { likeCount: 1 }],
    [
      'versions: the post has changed since it was read',
      {
        kind: 'versions',
        posts: [{ id: post.id, likeCount: 3, commentCount: 0, shareCount: 0, editedAt: null }],
      },
      { likeCount: 3 },
    ],
  ])('%s is visible in every list, at the same place', async (_, event, change) => {
    const fresh = { ...post, ...change };
    readAgain(() => HttpResponse.json(fresh));
    receive(event);
    await eventually(() => expect(posts(feed)).toEqual([other, fresh]));
    expect(posts(ofAuthor)).toEqual([fresh]);
    expect(queryClient.getQueryData(postQuery(post.id).queryKey)).toEqual(fresh);
    expect(itemsOf<SavedItem>(queryClient.getQueryData(savedItemsQuery().queryKey))[0]?.post).toEqual(fresh);
  });

  test('versions: a post in its current state is not read again', async () => {
    let reads = 0;
    readAgain(() => {
      reads += 1;
      return HttpResponse.json(post);
    });
    const { id, likeCount, commentCount, shareCount, editedAt } = post;
    receive({ kind: 'versions', posts: [{ id, likeCount, commentCount, shareCount, editedAt }] });
    receive({ kind: 'versions', posts: [{ id: 'unknown', likeCount, commentCount, shareCount, editedAt }] });
    receive({ kind: 'reaction', postId: 'unknown' });
    await eventually(() => expect(queryClient.isFetching()).toBe(0));
    expect(reads).toBe(0);
  });

  test('post: a deletion removes it, and its page shows that it is gone', async () => {
    readAgain(() => problem(404, { error: 'Post not found' }));
    receive({ kind: 'post', postId: post.id, list: null, since: null });
    await eventually(() => expect(posts(feed)).toEqual([other]));
    expect(posts(ofAuthor)).toEqual([]);
    expect(itemsOf<SavedItem>(queryClient.getQueryData(savedItemsQuery().queryKey))).toEqual([]);
    expect(queryClient.getQueryData(postQuery(post.id).queryKey)).toBeUndefined();
  });

  test('post: an edited article keeps the plain beginning in lists', async () => {
    const article = { ...post, title: 'On standing', content: 'The beginning' };
    queryClient.setQueryData(feed, pages(article));
    const editedAt = '2026-11-20T00:00:00Z';
    readAgain(() => HttpResponse.json({ ...article, content: '# New\n\nbeginning', editedAt }));
    server.use(
      http.get('/api/posts', () => HttpResponse.json([{ ...article, content: 'New beginning', editedAt }])),
    );
    receive({ kind: 'post', postId: post.id, list: null, since: null });
    await eventually(() => expect(posts(feed)[0]?.content).toBe('New beginning'));
    expect(queryClient.getQueryData(postQuery(post.id).queryKey)?.content).toBe('# New\n\nbeginning');
  });

  test('a failed read is repeated on the next use', async () => {
    readAgain(() => problem(503, { error: 'Please try again soon' }));
    receive({ kind: 'reaction', postId: post.id });
    await eventually(() => expect(queryClient.getQueryState(feed)?.isInvalidated).toBe(true));
    expect(posts(feed)).toEqual([other, post]);
  });

  /** A screen shows the list. */
  const show = (query: ReturnType<typeof postsQuery>) =>
    onTestFinished(new InfiniteQueryObserver(queryClient, query).subscribe(() => {}));

  test('post: new posts wait, and the list does not move', async () => {
    show(postsQuery({ sort: 'relevant' }));
    const fresh = postOf({ id: 'new', createdAt: '2026-11-20T10:00:00Z' });
    const older = postOf({ id: 'older', createdAt: '2026-11-20T08:00:00Z' });
    server.use(http.get('/api/posts', () => HttpResponse.json([fresh, older])));
    receive({ kind: 'post', postId: null, list: 'feed', since: '2026-11-20T09:00:00Z' });
    const waiting = () => queryClient.getQueryData(newPostsQuery('feed').queryKey);
    await eventually(() => expect(waiting()?.page.items).toEqual([fresh]));
    expect(posts(feed)).toEqual([other, post]);
  });

  test('post: after the member has shown new posts, the next one is found at once', async () => {
    const fresh = postOf({ id: 'new', createdAt: '2026-11-20T10:00:00Z' });
    const next = postOf({ id: 'next', createdAt: '2026-11-20T10:00:01Z' });
    const newest = [fresh];
    show(postsQuery({ sort: 'relevant' }));
    server.use(http.get('/api/posts', () => HttpResponse.json(newest)));
    receive({ kind: 'post', postId: null, list: 'feed', since: '2026-11-20T09:00:00Z' });
    const waiting = () => queryClient.getQueryData(newPostsQuery('feed').queryKey);
    await eventually(() => expect(waiting()?.page.items).toEqual([fresh]));
    newest.unshift(next);
    receive({ kind: 'post', postId: null, list: 'feed', since: '2026-11-20T10:00:01Z' });
    showNewPosts(queryClient, 'feed', postsQuery({ sort: 'relevant' }).queryKey);
    await eventually(() => expect(waiting()?.page.items).toEqual([next]));
    expect(posts(feed)).toEqual([fresh, other, post]);
  });

  test('post: only lists on screen are read', async () => {
    show(postsQuery({ communityId: 'c1' }));
    const asked: string[] = [];
    server.use(
      http.get('/api/posts', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json([]);
      }),
    );
    for (const list of ['feed', 'community:c2', 'member:m1', 'community:c1'])
      receive({ kind: 'post', postId: null, list, since: '2026-11-20T09:00:00Z' });
    await eventually(() => expect(asked).toContain('?communityId=c1'));
    expect(new Set(asked)).toEqual(new Set(['?communityId=c1']));
  });

  test('post: a hidden tab looks for new posts when it is visible', async () => {
    setVisibility('hidden');
    show(postsQuery({ sort: 'relevant' }));
    let reads = 0;
    server.use(
      http.get('/api/posts', () => {
        reads += 1;
        return HttpResponse.json([]);
      }),
    );
    receive({ kind: 'post', postId: null, list: 'feed', since: '2026-11-20T09:00:00Z' });
    await Promise.resolve();
    expect(reads).toBe(0);
    setVisibility('visible');
    await eventually(() => expect(reads).toBe(1));
  });
});

test('connection: the counter of connections is read from the list of connections', async () => {
  const stats = { profileViews: 1, postImpressions: 2, connections: 8 };
  queryClient.setQueryData(profileQuery(isabel.id).queryKey, { ...profileOf(isabel), stats });
  server.use(
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json([], { headers: { 'X-Total-Count': '9' } }),
    ),
  );
  receive({ kind: 'connection', connectionId: 'x', requesterId: isabel.id, recipientId: 'priya' });
  const view = () => queryClient.getQueryData(profileQuery(isabel.id).queryKey);
  await eventually(() => expect(view()?.stats).toEqual({ ...stats, connections: 9 }));
});

test('membership: the community shows the new count and role', async () => {
  const community = communityOf({ role: null, memberCount: 4 });
  queryClient.setQueryData(communityQuery(community.id).queryKey, community);
  queryClient.setQueryData(communitiesQuery.queryKey, pages(communityOf({ id: 'first' }), community));
  const fresh = { ...community, role: 'member' as const, memberCount: 5 };
  server.use(http.get('/api/communities/:id', () => HttpResponse.json(fresh)));
  receive({ kind: 'membership', communityId: community.id });
  await eventually(() =>
    expect(queryClient.getQueryData(communityQuery(community.id).queryKey)).toEqual(fresh),
  );
  const list = itemsOf<Community>(queryClient.getQueryData(communitiesQuery.queryKey));
  expect(list.map(({ id, role }) => [id, role])[1]).toEqual([community.id, 'member']);
});

test('event: the event shows its attendees', async () => {
  const event = eventOf({ attending: false, attendeeCount: 4 });
  queryClient.setQueryData(eventQuery(event.id).queryKey, event);
  queryClient.setQueryData(eventsQuery.queryKey, pages(event));
  server.use(
    http.get('/api/events/:id', () => HttpResponse.json({ ...event, attending: true, attendeeCount: 5 })),
  );
  receive({ kind: 'event', eventId: event.id });
  const listed = () => itemsOf<Event>(queryClient.getQueryData(eventsQuery.queryKey))[0];
  await eventually(() => expect(listed()).toMatchObject({ attending: true, attendeeCount: 5 }));
  expect(queryClient.getQueryData(eventQuery(event.id).queryKey)?.attendeeCount).toBe(5);

  server.use(http.get('/api/events/:id', () => problem(404, { error: 'Event not found' })));
  receive({ kind: 'event', eventId: event.id });
  await eventually(() => expect(listed()).toBeUndefined());
});

test('application: the list is read again, and the posting is marked', async () => {
  const job = jobOf({ applied: false });
  queryClient.setQueryData(jobQuery(job.id).queryKey, job);
  queryClient.setQueryData(applicationsQuery.queryKey, pages<JobApplication>());
  const application = { ...applicationOf(), id: 'a1', jobId: job.id, history: [] };
  server.use(http.get('/api/jobs/applications/:id', () => HttpResponse.json(application)));
  receive({ kind: 'application', applicationId: 'a1' });
  await eventually(() => expect(queryClient.getQueryData(jobQuery(job.id).queryKey)?.applied).toBe(true));
  await eventually(() =>
    expect(queryClient.getQueryState(applicationsQuery.queryKey)?.isInvalidated).toBe(true),
  );
});

test('message-changed: the message is replaced in its thread, its quotes and the list', async () => {
  const [first, reply] = [
    messageOf(1),
    messageOf(2, { replyTo: { id: 'm1', userId: priya.id, content: 'Message 1', attachments: null } }),
  ];
  const conversation = conversationOf({ lastMessage: first.content, lastMessageAt: first.createdAt });
  queryClient.setQueryData<Thread>(threadKey(conversationId), {
    conversation,
    messages: [first, reply],
    older: null,
  });
  queryClient.setQueryData(conversationsQuery().queryKey, pages(conversation));
  const fresh = { ...first, content: '', deleted: true };
  server.use(http.get('/api/conversations/:id/messages/:messageId', () => HttpResponse.json(fresh)));
  receive({ kind: 'message-changed', conversationId, messageId: 'm1' });
  const thread = () => queryClient.getQueryData<Thread>(threadKey(conversationId));
  await eventually(() => expect(thread()?.messages[0]).toEqual(fresh));
  expect(thread()?.messages[1]?.replyTo?.content).toBeNull();
  const [listed] = itemsOf(queryClient.getQueryData(conversationsQuery().queryKey));
  expect(listed).toMatchObject({ lastMessage: null, lastMessageDeleted: true });

  // A message that this member cleared.
  server.use(
    http.get('/api/conversations/:id/messages/:messageId', () =>
      problem(404, { error: 'Message not found' }),
    ),
  );
  receive({ kind: 'message-changed', conversationId, messageId: 'm9' });
  await eventually(() => expect(queryClient.isFetching()).toBe(0));
  expect(queryClient.getQueryState(threadKey(conversationId))?.isInvalidated).toBe(false);
});
