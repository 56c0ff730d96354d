// The five reactions: by pointer, long press and keyboard.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { ReactionType } from '@/api/schema.gen';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

/** A post that stores the reaction of Isabel and the requests. */
function reacting(type?: ReactionType) {
  const post = postOf(type ? { likes: [{ userId: isabel.id, type }], likeCount: 1 } : {});
  const sent: unknown[] = [];
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.post<never, { type: ReactionType }>('/api/posts/:id/likes', async ({ request }) => {
      const body = await request.json();
      sent.push(body);
      post.likes = [{ userId: isabel.id, type: body.type }];
      // Other members have reacted meanwhile, so a refetch is visible.
      post.likeCount += 10;
      return HttpResponse.json(post.likes[0]);
    }),
    http.delete('/api/posts/:id/likes', () => {
      sent.push('taken back');
      post.likes = [];
      post.likeCount = 0;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

beforeEach(() => signedInAs(isabel));

const like = () => screen.findByRole('button', { name: 'Like' });
const picker = async () => within(await screen.findByRole('toolbar', { name: 'Reactions' }));

test('ArrowUp opens them, arrow keys move in a circle, Enter selects, and the button shows the reaction', async () => {
  const sent = reacting();
  const { user } = await renderApp('/');
  (await like()).focus();
  await user.keyboard('{ArrowUp}');
  const bar = await picker();
  expect(bar.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Like',
    'Celebrate',
    'Support',
    'Insightful',
    'Thanks',
  ]);
  expect(bar.getByRole('button', { name: 'Like' })).toHaveFocus();
  await user.keyboard('{ArrowLeft}');
  expect(bar.getByRole('button', { name: 'Thanks' })).toHaveFocus();
  await user.keyboard('{ArrowLeft}{Enter}');
  expect(await screen.findByRole('button', { name: 'Insightful', pressed: true })).toHaveFocus();
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  expect(await screen.findByText('10 likes')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, type: 'insightful' }]);
});

test('another reaction replaces the first, and pressing the button removes it', async () => {
  const sent = reacting('celebrate');
  const { user } = await renderApp('/');
  const button = await screen.findByRole('button', { name: 'Celebrate', pressed: true });
  await user.click(screen.getByRole('button', { name: 'Choose a reaction' }));
  await user.click((await picker()).getByRole('button', { name: 'Thanks' }));
  await screen.findByRole('button', { name: 'Thanks', pressed: true });
  await screen.findByText('11 likes');
  await user.click(button);
  expect(await screen.findByText('0 likes')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, type: 'thanks' }, 'taken back']);
});

test('a reaction selected during a request is sent after it and wins', async () => {
  const post = postOf();
  const sent: string[] = [];
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.post<never, { type: ReactionType }>('/api/posts/:id/likes', async ({ request }) => {
      const { type } = await request.json();
      sent.push(type);
      if (sent.length === 1) await held;
      post.likes = [{ userId: isabel.id, type }];
      return HttpResponse.json(post.likes[0]);
    }),
  );
  const { user } = await renderApp('/');
  (await like()).focus();
  await user.keyboard('{ArrowUp}');
  await user.click((await picker()).getByRole('button', { name: 'Celebrate' }));
  const first = await screen.findByRole('button', { name: 'Celebrate', pressed: true });
  first.focus();
  await user.keyboard('{ArrowUp}');
  await user.click((await picker()).getByRole('button', { name: 'Support' }));
  expect(await screen.findByRole('button', { name: 'Support', pressed: true })).toBeVisible();
  expect(sent).toEqual(['celebrate']);
  answer();
  await waitFor(() => expect(sent).toEqual(['celebrate', 'support']));
  expect(await screen.findByRole('button', { name: 'Support', pressed: true })).toBeVisible();
});

test('the count and the icon change at the press, and every press is sent in its order', async () => {
  const post = postOf({ likeCount: 4 });
  const sent: string[] = [];
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.post('/api/posts/:id/likes', async () => {
      await held;
      sent.push('like');
      post.likes = [{ userId: isabel.id, type: 'like' }];
      post.likeCount = 5;
      return HttpResponse.json(post.likes[0]);
    }),
    http.delete('/api/posts/:id/likes', () => {
      sent.push('taken back');
      post.likes = [];
      post.likeCount = 4;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await like());
  expect(await screen.findByText('5 likes')).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Like', pressed: true }));
  expect(await screen.findByText('4 likes')).toBeVisible();
  answer();
  await waitFor(() => expect(sent).toEqual(['like', 'taken back']));
  expect(await screen.findByRole('button', { name: 'Like', pressed: false })).toBeVisible();
  expect(screen.getByText('4 likes')).toBeVisible();
});

test('selecting the current reaction sends nothing', async () => {
  const sent = reacting('support');
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Choose a reaction' }));
  await user.click((await picker()).getByRole('button', { name: 'Support' }));
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

test('Escape closes them and returns the focus, and moving the focus away closes them', async () => {
  reacting();
  const { user } = await renderApp('/');
  (await like()).focus();
  await user.keyboard('{ArrowUp}');
  await picker();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  expect(await like()).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  await picker();
  await user.tab();
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
});

test('hovering opens them, and leaving closes them', async () => {
  reacting();
  await renderApp('/');
  const button = await like();
  fireEvent.pointerEnter(button.parentElement as HTMLElement, { pointerType: 'mouse' });
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  await picker();
  expect(button).not.toHaveFocus();
  fireEvent.pointerLeave(button.parentElement as HTMLElement, { pointerType: 'mouse' });
  await waitFor(() => expect(screen.queryByRole('toolbar')).not.toBeInTheDocument());
});

test('a long press opens them without a like, and a tap likes', async () => {
  const sent = reacting();
  await renderApp('/');
  const button = await like();
  fireEvent.pointerDown(button, { pointerType: 'touch' });
  const bar = await picker();
  fireEvent.pointerUp(button, { pointerType: 'touch' });
  act(() => button.click());
  expect(sent).toEqual([]);
  fireEvent.click(bar.getByRole('button', { name: 'Celebrate' }));
  await screen.findByRole('button', { name: 'Celebrate', pressed: true });
  await waitFor(() => expect(sent).toEqual([{ userId: isabel.id, type: 'celebrate' }]));
});

test('a failed reaction shows the reason and is not displayed', async () => {
  reacting();
  server.use(http.post('/api/posts/:id/likes', () => problem(429, { error: 'Too many requests' })));
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Choose a reaction' }));
  await user.click((await picker()).getByRole('button', { name: 'Thanks' }));
  expect(await screen.findByText('Failed to like post: 429: Too many requests')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Like', pressed: false })).toBeVisible();
});

test('a visitor has only the Like button', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/posts/:id', () => HttpResponse.json(postOf())),
  );
  const { user } = await renderApp('/posts/p1');
  (await like()).focus();
  await user.keyboard('{ArrowUp}');
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Choose a reaction' })).not.toBeInTheDocument();
});
