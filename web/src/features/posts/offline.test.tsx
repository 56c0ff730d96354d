// Posts and comments without a network: they wait, keep their order, survive a reload, and are sent once.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { addUnsent, asUnsent } from '@/session/outbox';
import { commentOf, postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';
import { postingsKey } from './postings-key';
import type { UnsentPosting } from './postings-outbox';

type App = Awaited<ReturnType<typeof renderApp>>;

const other = () => postOf({ id: 'p1', content: 'Note submissions close on Friday.' });
let gateway: ReturnType<typeof installStreamFakes>;
let posts: Post[];
/** The requests that reached the server, in their order. */
let requests: { key: string | null; body: { content?: string } }[];
let isReached: boolean;
/** Answers a request instead of storing it. */
let refuse: ((content?: string) => Response | undefined) | null;

beforeEach(() => {
  signedInAs(isabel);
  gateway = installStreamFakes();
  posts = [other()];
  requests = [];
  refuse = null;
  isReached = true;
  const receive = async (request: Request, store: (content: string) => unknown) => {
    if (!isReached) return HttpResponse.error();
    const body = (await request.json()) as { content: string };
    const key = request.headers.get('Idempotency-Key');
    const isNew = requests.every((one) => one.key !== key);
    requests.push({ key, body });
    const refused = refuse?.(body.content);
    if (refused) return refused;
    return HttpResponse.json((isNew ? store(body.content) : {}) as object, { status: 201 });
  };
  server.use(
    http.get('/api/posts', () => HttpResponse.json(posts)),
    http.post('/api/posts', ({ request }) =>
      receive(request, (content) => {
        const post = postOf({ id: `p${posts.length + 1}`, content, user: isabel });
        posts = [post, ...posts];
        return post;
      }),
    ),
    http.post('/api/posts/:id/comments', ({ request, params }) =>
      receive(request, (content) => {
        const comment = { ...commentOf(content), id: `c${requests.length}`, user: isabel };
        posts = posts.map((post) =>
          post.id === params.id
            ? { ...post, comments: [...post.comments, comment], commentCount: post.commentCount + 1 }
            : post,
        );
        return comment;
      }),
    ),
  );
});
afterEach(() => {
  removeStreamFakes();
  vi.restoreAllMocks();
});

/** Changes what the browser reports and what the server receives. */
const setOnline = (online: boolean) => {
  isReached = online;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')));
};

async function writePost({ user }: App, text: string) {
  await user.click(await screen.findByRole('button', { name: /^Start a post/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  await user.type(await dialog.findByRole('textbox', { name: 'Post' }), text);
  await user.click(dialog.getByRole('button', { name: 'Post' }));
}

async function writeComment({ user }: App, text: string) {
  const article = within((await screen.findByText(other().content)).closest('article') as HTMLElement);
  await user.click(article.getByRole('button', { name: 'Comment' }));
  await user.type(await article.findByRole('textbox', { name: 'Comment' }), text);
  await user.click(article.getByRole('button', { name: 'Post' }));
}

const waitingPosts = () => screen.findByRole('list', { name: 'Posts that are not sent yet' });
const waitingOfBoth = () => screen.findByRole('list', { name: 'Posts and comments that are not sent yet' });
const waitingComments = () => screen.findByRole('list', { name: 'Comments that are not sent yet' });
const stored = () => JSON.stringify({ ...localStorage });
const contents = () => requests.map(({ body }) => body.content);

test('offline they wait, and are sent in their order when the network returns', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writePost(app, 'We won.');
  expect(await screen.findByText('Post not sent yet')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await writeComment(app, 'Count me in.');
  expect(within(await waitingPosts()).getByText('We won.')).toBeVisible();
  expect(within(await waitingComments()).getByText('Count me in.')).toBeVisible();
  expect(screen.getAllByText('Waiting for network')).toHaveLength(2);
  expect(stored()).not.toContain('draft:');

  setOnline(true);
  await waitFor(() => expect(contents()).toEqual(['We won.', 'Count me in.']));
  await waitFor(() => expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument());
  expect(await screen.findAllByText('We won.')).toHaveLength(1);
  expect(await screen.findAllByText('Count me in.')).toHaveLength(1);
  expect(stored()).not.toContain('Count me in.');
});

test('a waiting post survives a reload and is sent from another screen', async () => {
  const first = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writePost(first, 'Later');
  await waitingPosts();
  first.unmount();
  await renderApp('/test');
  await screen.findByRole('link', { name: 'My Profile' });
  setOnline(true);
  await waitFor(() => expect(contents()).toEqual(['Later']));
  await waitFor(() => expect(stored()).not.toContain('Later'));
});

test('one whose response was lost is sent again with its key', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  let lost: string | null = null;
  server.use(
    http.post(
      '/api/posts',
      ({ request }) => {
        lost = request.headers.get('Idempotency-Key');
        // The network is lost before the response.
        vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  await writePost(app, 'Once');
  expect(within(await waitingPosts()).getByText('Waiting for network')).toBeVisible();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  await gateway.send('hello', {});
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.key).toBe(lost);
});

test('one is sent when the network returns while it is being stored', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  server.use(
    http.post(
      '/api/posts',
      () => {
        // No event follows: it came between the failure and the storing.
        vi.spyOn(navigator, 'onLine', 'get').mockReturnValueOnce(false).mockReturnValue(true);
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  await writePost(app, 'Just in time');
  await waitFor(() => expect(contents()).toEqual(['Just in time']));
  await waitFor(() => expect(stored()).not.toContain('Just in time'));
});

test('one that gets no response although there is a network can be retried', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'Anyone?');
  await waitingComments();
  refuse = () => HttpResponse.error() as Response;
  setOnline(true);
  const failed = 'Failed to add comment: Failed to fetch';
  expect(await within(await waitingComments()).findByText(failed)).toBeVisible();
  refuse = null;
  await app.user.click(within(await waitingComments()).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(contents()).toEqual(['Anyone?', 'Anyone?']));
  await waitFor(() => expect(stored()).not.toContain('"shown"'));
});

test('a later one does not overtake one that waits', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'first');
  await waitingComments();
  // The network is back, and the browser has not reported it.
  isReached = true;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  await writeComment(app, 'second');
  await waitFor(() => expect(contents()).toEqual(['first', 'second']));
});

test('a refused one shows the reason, does not stop the others, and is sent again on request', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'first');
  await writeComment(app, 'second');
  refuse = (content) => (content === 'first' ? problem(403, { error: 'No.' }) : undefined);
  setOnline(true);
  expect(await within(await waitingComments()).findByText('Failed to add comment: 403: No.')).toBeVisible();
  await waitFor(() => expect(contents()).toEqual(['first', 'second']));
  refuse = null;
  await app.user.click(within(await waitingComments()).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(contents()).toEqual(['first', 'second', 'first']));
  await waitFor(() => expect(stored()).not.toContain('"shown"'));
});

test('a comment on a post that is deleted meanwhile is a toast on any screen, and stays at the top of home', async () => {
  const first = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(first, 'Too late');
  await waitingComments();
  first.unmount();
  posts = [];
  refuse = () => problem(404, { error: 'Post not found' });
  const second = await renderApp('/test');
  await screen.findByRole('link', { name: 'My Profile' });
  setOnline(true);
  expect(await screen.findByText('Failed to add comment: 404: Post not found')).toBeVisible();
  second.unmount();
  const { user } = await renderApp('/');
  const row = within(await waitingOfBoth());
  expect(row.getByText('Too late')).toBeVisible();
  expect(row.getByText('Failed to add comment: 404: Post not found')).toBeVisible();
  await user.click(row.getByRole('button', { name: 'Discard' }));
  expect(stored()).not.toContain('Too late');
});

test('a comment that stops later posts is shown before them', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'first');
  await writePost(app, 'second');
  expect(within(await waitingPosts()).queryByText('first')).not.toBeInTheDocument();
  refuse = () => problem(503, { error: 'Away' });
  setOnline(true);
  const rows = within(await waitingOfBoth()).getAllByRole('listitem');
  expect(rows.map((row) => row.firstChild?.textContent)).toEqual(['first', 'second']);
  expect(within(rows[0] as HTMLElement).getByRole('alert')).toHaveTextContent('503: Away');
  expect(within(rows[1] as HTMLElement).getByText('Waiting for the one before')).toBeVisible();
});

test.each([
  ['a server error', () => problem(503, { error: 'Away' }), '503: Away'],
  ['a request without a response, with a network,', () => HttpResponse.error(), 'Failed to fetch'],
])('%s is a toast as before, and the draft stays', async (_, answer, message) => {
  refuse = answer;
  await writePost(await renderApp('/'), 'We won.');
  expect(await screen.findByText(`Failed to create post: ${message}`)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Post' })).toHaveValue('We won.');
  expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument();
});

test('one that may be posted is sent again only on request once the server has forgotten its key', async () => {
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000).toISOString();
  const written = (key: string, attempted: boolean): UnsentPosting => ({
    ...asUnsent(key, { posting: { kind: 'post', body: { userId: isabel.id, content: key } }, shown: key }),
    writtenAt: twoDaysAgo,
    attempted,
    failure: 'failed',
  });
  const place = postingsKey(isabel.id);
  addUnsent(place, written('possibly stored', true));
  addUnsent(place, written('never sent', false));
  const { user } = await renderApp('/');
  await waitFor(() => expect(contents()).toEqual(['never sent']));
  const row = within(await waitingPosts());
  expect(row.getByText('It may be posted already. Check before you retry.')).toBeVisible();
  refuse = () => problem(503, { error: 'Away' });
  await user.click(row.getByRole('button', { name: 'Retry' }));
  expect(await row.findByText('Failed to create post: 503: Away')).toBeVisible();
  refuse = null;
  // The decision holds for a day as well.
  await gateway.send('hello', {});
  await waitFor(() => expect(contents()).toEqual(['never sent', 'possibly stored', 'possibly stored']));
  await waitFor(() => expect(stored()).not.toContain('possibly stored'));
});

test('a waiting repost without text is named', async () => {
  const { user } = await renderApp('/');
  await screen.findByText(other().content);
  await user.click(screen.getByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Repost with your thoughts' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Repost' }));
  setOnline(false);
  await user.click(await dialog.findByRole('button', { name: 'Repost' }));
  expect(within(await waitingPosts()).getByText('Repost')).toBeVisible();
});

test('Repost without a network waits, once, and is sent when it returns', async () => {
  const { user } = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  const repost = async () => {
    await user.click(screen.getByRole('button', { name: 'Share' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Repost' }));
  };
  await repost();
  expect(await screen.findByText('Post not sent yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await repost();
  expect(await screen.findByText('Post not sent yet')).toBeVisible();
  expect(within(await waitingPosts()).getAllByText('Repost')).toHaveLength(1);
  setOnline(true);
  await waitFor(() => expect(stored()).not.toContain('"shown"'));
  expect(requests.map(({ body }) => body)).toEqual([
    { userId: isabel.id, content: '', repostOf: other().id },
  ]);
});

test('a waiting one can be discarded', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'Oops');
  await app.user.click(within(await waitingComments()).getByRole('button', { name: 'Discard' }));
  expect(screen.queryByText('Oops')).not.toBeInTheDocument();
  setOnline(true);
  expect(stored()).not.toContain('Oops');
});

test('signing out asks, and removes them', async () => {
  const app = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(app, 'Private');
  await waitingComments();
  server.use(http.post('/api/auth/logout', () => new HttpResponse(null, { status: 204 })));
  await app.user.click(screen.getByRole('button', { name: 'Log out' }));
  const question = within(await screen.findByRole('dialog', { name: 'Log out now?' }));
  await app.user.click(question.getByRole('button', { name: 'Stay signed in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(stored()).toContain('Private');
  await app.user.click(screen.getByRole('button', { name: 'Log out' }));
  await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(stored()).not.toContain('Private'));
  setOnline(true);
  expect(requests).toEqual([]);
});

test('another member of this browser neither sees nor sends them', async () => {
  const first = await renderApp('/');
  await screen.findByText(other().content);
  setOnline(false);
  await writeComment(first, 'Private');
  await waitingComments();
  first.unmount();
  signedInAs({ ...isabel, id: 'other' });
  await renderApp('/');
  await screen.findByText(other().content);
  setOnline(true);
  expect(screen.queryByText('Private')).not.toBeInTheDocument();
  expect(requests).toEqual([]);
});

test('Filipino', async () => {
  const app = await renderApp('/', { language: 'fil' });
  await screen.findByText(other().content);
  setOnline(false);
  await app.user.click(await screen.findByRole('button', { name: 'Komento' }));
  await app.user.type(await screen.findByRole('textbox', { name: 'Komento' }), 'Mamaya');
  await app.user.click(screen.getByRole('button', { name: 'I-post' }));
  expect(await screen.findByText('Naghihintay ng koneksyon')).toBeVisible();
});
