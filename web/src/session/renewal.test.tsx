// A request after the end of the session: sign-in in place, then the request is repeated once.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, ownDevice, problem, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';

const ended = () => problem(401, { error: 'Sign in required', code: 'SIGN_IN_REQUIRED' });
const likes = '/api/posts/:id/likes';

/** The member of the browser's session on the server; null after its end. */
let session: User | null;
let likesSent: number;
let gateway: ReturnType<typeof installStreamFakes>;
let signIns: unknown[];

beforeEach(() => {
  gateway = installStreamFakes();
  session = null;
  likesSent = 0;
  signIns = [];
  signedInAs(isabel);
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
    http.post(likes, () => {
      likesSent += 1;
      return session ? HttpResponse.json({}, { status: 201 }) : ended();
    }),
  );
  signInAs(isabel);
});

afterEach(removeStreamFakes);

function signInAs(user: User) {
  server.use(
    http.post('/api/auth/login', async ({ request }) => {
      signIns.push(await request.json());
      session = user;
      signedInAs(user);
      return HttpResponse.json(user);
    }),
  );
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Your session has ended' }));

async function signIn(user: Awaited<ReturnType<typeof renderApp>>['user']) {
  const form = await dialog();
  await user.type(form.getByLabelText('Password'), 'secret1');
  await user.click(form.getByRole('button', { name: 'Login' }));
}

test('the member signs in over the screen, and the like is sent again', async () => {
  const { user, path } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect((await dialog()).getByLabelText('Username')).toHaveValue('isabel');
  await waitFor(async () => expect((await dialog()).getByLabelText('Password')).toHaveFocus());
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(2));
  expect(signIns).toEqual([{ username: 'isabel', password: 'secret1' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(path()).toBe('/');
  expect(screen.queryByText(/Failed to like post/)).toBeNull();
});

test('a computer that was shared stays shared', async () => {
  ownDevice(null);
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect((await dialog()).getByRole('checkbox', { name: 'This is a shared computer' })).toBeChecked();
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(2));
  expect(signIns).toEqual([{ username: 'isabel', password: 'secret1', sharedComputer: true }]);
});

test('a comment is repeated with its text and its idempotency key', async () => {
  const sent: [string | null, unknown][] = [];
  server.use(
    http.post('/api/posts/:id/comments', async ({ request }) => {
      sent.push([request.headers.get('Idempotency-Key'), await request.json()]);
      return session ? HttpResponse.json({}, { status: 201 }) : ended();
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.type(await screen.findByRole('textbox', { name: /comment/i }), 'Good point');
  await user.click(screen.getByRole('button', { name: 'Post' }));
  await signIn(user);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.[1]).toMatchObject({ content: 'Good point' });
});

test('cancelling rejects the action with the ordinary error, and the next one asks again', async () => {
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await dialog();
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Failed to like post: 401: Sign in required')).toBeVisible();
  expect(likesSent).toBe(1);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Like' }));
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(3));
});

test('a wrong password stays in the dialog', async () => {
  server.use(
    http.post('/api/auth/login', () =>
      problem(401, { error: 'Invalid username or password', code: 'BAD_CREDENTIALS' }),
    ),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await signIn(user);
  expect(await screen.findByText('Invalid username or password')).toBeVisible();
  expect((await dialog()).getByLabelText('Password')).toHaveValue('secret1');
  expect(likesSent).toBe(1);
});

test('leaving for a forgotten password closes the dialog', async () => {
  const { user, path } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await user.click((await dialog()).getByRole('link', { name: 'Forgot password?' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(path()).toBe('/forgot-password');
  expect(likesSent).toBe(1);
});

test('a write is repeated only once', async () => {
  server.use(
    http.post(likes, () => {
      likesSent += 1;
      return ended();
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await signIn(user);
  expect(await screen.findByText('Failed to like post: 401: Sign in required')).toBeVisible();
  expect(likesSent).toBe(2);
});

test('after a sign-in as another member the action is not repeated, and the client starts again', async () => {
  const other: User = { ...isabel, id: priya.id, username: 'priya', fullName: priya.fullName };
  signInAs(other);
  server.use(
    http.get('/api/communities', () =>
      HttpResponse.json([
        {
          id: 'c1',
          name: 'Moot Society',
          description: null,
          memberCount: 3,
          role: null,
          createdAt: '2026-01-05T08:00:00Z',
        },
      ]),
    ),
    http.put('/api/communities/:id/membership', ended),
  );
  const { user, path } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: /^Join/ }));
  const form = await dialog();
  await user.clear(form.getByLabelText('Username'));
  await user.type(form.getByLabelText('Username'), 'priya');
  await user.type(form.getByLabelText('Password'), 'secret2');
  await user.click(form.getByRole('button', { name: 'Login' }));
  expect(
    await screen.findByText(/401: You signed in with another account, so this was not sent\./),
  ).toBeVisible();
  await waitFor(() => expect(path()).toBe('/'));
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', `/profile/${other.id}`),
  );
});

test('writes that fail together ask once', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf({ id: 'p1' }), postOf({ id: 'p2' })])));
  const { user } = await renderApp('/');
  const buttons = await screen.findAllByRole('button', { name: 'Like' });
  for (const button of buttons) button.click();
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(4));
  expect(signIns).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a stream that breaks meanwhile leaves the screen as it is until the member has signed in', async () => {
  const { user } = await renderApp('/');
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.type(await screen.findByRole('textbox', { name: /comment/i }), 'Good point');
  await user.click(screen.getByRole('button', { name: 'Like' }));
  await dialog();
  let asked = false;
  server.use(
    http.get(
      '/api/auth/me',
      () => {
        asked = true;
        return problem(401, { error: 'Not signed in' });
      },
      { once: true },
    ),
  );
  await gateway.fail();
  await waitFor(() => expect(asked).toBe(true));
  expect(screen.getByDisplayValue('Good point')).toBeInTheDocument();
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(2));
  expect(screen.getByDisplayValue('Good point')).toBeInTheDocument();
});

const noNews = { articles: [], pagination: { page: 1, hasMore: false } };

/** Opens the news as a member whose session ends on the way. */
async function openNews(whenSignedIn: () => Response) {
  const { user } = await renderApp('/');
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  await screen.findByRole('button', { name: 'Like' });
  let reads = 0;
  server.use(
    http.get('/api/news', () => {
      reads += 1;
      return session ? whenSignedIn() : ended();
    }),
  );
  await user.click(screen.getAllByRole('link', { name: 'Legal News' })[0] as HTMLElement);
  return { user, reads: () => reads };
}

test('a screen that cannot be read asks, and shows its data after the sign-in', async () => {
  const { user, reads } = await openNews(() => HttpResponse.json(noNews));
  await signIn(user);
  expect(await screen.findByText('No articles found.')).toBeVisible();
  expect(reads()).toBe(2);
});

test('reads do not ask again after the member has closed the dialog; a write does', async () => {
  const { user } = await openNews(() => HttpResponse.json(noNews));
  await dialog();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('button', { name: 'Try Again' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await signIn(user);
  await waitFor(() => expect(likesSent).toBe(2));
});
