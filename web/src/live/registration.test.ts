// The client registers the shown topics with the gateway: collected, bounded, and again for each stream.
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { provideRenewal } from '@/api/renewal';
import { eventually } from '@/testing/eventually';
import { problem, server } from '@/testing/server';
import type { PostVersion } from './events';
import type { Topic } from './interests';
import { createRegistration, type Registration } from './registration';

let sent: { stream: unknown; body: unknown }[] = [];
let answer: () => Response;
let versions: PostVersion[] = [];
let registration: Registration;

const none = { posts: [], members: [], communities: [], events: [], feed: false };
const version: PostVersion = { id: 'p1', likeCount: 1, commentCount: 0, shareCount: 0, editedAt: null };

beforeEach(() => {
  sent = [];
  versions = [];
  answer = () => HttpResponse.json({ posts: [] });
  server.use(
    http.put('/api/live/:stream/interests', async ({ params, request }) => {
      sent.push({ stream: params.stream, body: await request.json() });
      return answer();
    }),
  );
  registration = createRegistration((posts) => versions.push(...posts));
});
afterEach(() => registration.close());

test('the topics are sent once a stream is open, by kind', async () => {
  registration.set(['feed', 'post p1', 'member m1', 'community c1', 'event e1', 'post p2']);
  registration.open('s1');
  await eventually(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    stream: 's1',
    body: { posts: ['p1', 'p2'], members: ['m1'], communities: ['c1'], events: ['e1'], feed: true },
  });
});

test('the end of the session asks nothing of a member who did nothing', async () => {
  let asked = 0;
  const remove = provideRenewal(async () => {
    asked += 1;
    return 'cancelled';
  });
  answer = () => problem(401, { code: 'SESSION_ENDED', error: 'Your session has ended.' });
  registration.set(['feed']);
  registration.open('s1');
  await eventually(() => expect(sent).toHaveLength(1));
  answer = () => HttpResponse.json({ posts: [version] });
  registration.open('s2');
  await eventually(() => expect(versions).toEqual([version]));
  expect(asked).toBe(0);
  remove();
});

test('the state of the posts is reported', async () => {
  answer = () => HttpResponse.json({ posts: [version] });
  registration.set(['post p1']);
  registration.open('s1');
  await eventually(() => expect(versions).toEqual([version]));
});

test('changes during a request are sent after it, and equal topics are not sent again', async () => {
  registration.open('s1');
  registration.set(['post p1']);
  await eventually(() => expect(sent).toHaveLength(1));
  registration.set(['post p1', 'post p2']);
  registration.set(['post p2']);
  await eventually(() => expect(sent).toHaveLength(2));
  registration.set(['post p2']);
  registration.set(['feed']);
  await eventually(() => expect(sent).toHaveLength(3));
  expect(sent.map(({ body }) => body)).toEqual([
    { ...none, posts: ['p1'] },
    { ...none, posts: ['p2'] },
    { ...none, feed: true },
  ]);
});

test('a new stream receives the topics again', async () => {
  registration.open('s1');
  registration.set(['feed']);
  await eventually(() => expect(sent).toHaveLength(1));
  registration.open('s2');
  await eventually(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ stream: 's2', body: { ...none, feed: true } });
});

test('at most a hundred ids are sent, the last ones', async () => {
  registration.open('s1');
  registration.set(['feed', ...Array.from({ length: 120 }, (_, at): Topic => `post p${at}`)]);
  await eventually(() => expect(sent).toHaveLength(1));
  const [first] = sent.map(({ body }) => body as typeof none);
  const { posts, feed } = first ?? none;
  expect([posts.length, posts[0], posts.at(-1), feed]).toEqual([100, 'p20', 'p119', true]);
});

test('a stream that has ended receives nothing more; the next one does', async () => {
  answer = () => problem(404, { error: 'Stream not found' });
  registration.open('s1');
  registration.set(['feed']);
  await eventually(() => expect(sent).toHaveLength(1));
  answer = () => HttpResponse.json({ posts: [] });
  registration.set(['post p1']);
  registration.open('s2');
  await eventually(() => expect(sent.at(-1)).toEqual({ stream: 's2', body: { ...none, posts: ['p1'] } }));
  expect(sent.filter(({ stream }) => stream === 's1')).toHaveLength(1);
});

test('a failed request is repeated', async () => {
  let failures = 0;
  answer = () => {
    failures += 1;
    return failures === 1
      ? problem(503, { error: 'Please try again soon' })
      : HttpResponse.json({ posts: [] });
  };
  registration.open('s1');
  registration.set(['feed']);
  await eventually(() => expect(sent).toHaveLength(2));
});
