// Sharing a post: repost, repost with text, copied link, conversation; and rendering of reposts.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { conversationOf, installElementHeights, messageOf, mine, threadOf } from '@/testing/messages';
import { marco } from '@/testing/notifications';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { mockSearch, personOf } from '@/testing/search';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { postAddress, postsIn } from './post-address';

beforeEach(() => signedInAs(isabel));

const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));
const openShare = async () => {
  const app = await renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Share' }));
  return app;
};

/** Records body and key of every new post. */
function posted() {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(postOf({ id: 'new' }), { status: 201 });
    }),
  );
  return sent;
}

test('Repost reposts without text', async () => {
  serve(postOf());
  const sent = posted();
  const { user } = await openShare();
  await user.click(await screen.findByRole('menuitem', { name: 'Repost' }));
  expect(await screen.findByText('The post is now on your profile and in the feed.')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, content: '', repostOf: postOf().id }]);
});

test('a refused repost shows the reason', async () => {
  serve(postOf());
  server.use(http.post('/api/posts', () => problem(404, { error: 'Post not found' })));
  const { user } = await openShare();
  await user.click(await screen.findByRole('menuitem', { name: 'Repost' }));
  expect(await screen.findByText('Failed to repost: 404: Post not found')).toBeVisible();
});

test('a repost with text shows the post in the composer and sends the text', async () => {
  serve(postOf());
  const sent = posted();
  const { user } = await openShare();
  await user.click(await screen.findByRole('menuitem', { name: 'Repost with your thoughts' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Repost' }));
  expect(dialog.getByText('Note submissions close on Friday.')).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Photo' })).not.toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Do it.');
  await user.click(dialog.getByRole('button', { name: 'Repost' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, content: 'Do it.', repostOf: postOf().id }]);
});

test('Copy link copies the address of the post, and shows it without a clipboard', async () => {
  serve(postOf());
  const { user } = await openShare();
  const written = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied')).toBeVisible();
  expect(written).toHaveBeenCalledWith(postAddress(postOf().id));
  written.mockRejectedValue(new Error('not allowed'));
  await user.click(screen.getByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  expect(await screen.findByText(postAddress(postOf().id))).toBeVisible();
});

test('a post of a community cannot be reposted', async () => {
  serve(postOf({ community: { id: 'c1', name: 'Eastbay Law Review' } }));
  await openShare();
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Copy link',
  ]);
});

test('a visitor copies the link and is asked to sign in for the rest', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/posts/:id', () => HttpResponse.json(postOf())),
  );
  const { user } = await renderApp('/posts/p1');
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Repost' }));
  expect(await screen.findByText('Please sign in to share posts')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Please sign in to send posts')).toBeVisible();
});

test('a repost shows the original, and a post shows its share count', async () => {
  const { id, content, title, image, pictures, pdf, videoUrl, createdAt, editedAt } = postOf();
  serve(
    postOf({
      id: 'again',
      user: marco,
      content: 'Worth a look.',
      shareCount: 2,
      repost: {
        id,
        user: priya,
        content,
        title,
        image,
        pictures,
        pdf,
        videoUrl,
        createdAt,
        editedAt,
        mentions: [],
      },
    }),
  );
  await renderApp('/');
  const original = within(await screen.findByRole('region', { name: 'Post by Priya Raghavan' }));
  expect(original.getByText('Note submissions close on Friday.')).toBeVisible();
  expect(original.getByRole('link', { name: 'See the original post by Priya Raghavan' })).toHaveAttribute(
    'href',
    `/posts/${id}`,
  );
  expect(screen.getByText('Worth a look.')).toBeVisible();
  expect(screen.getByText('0 comments · 2 shares')).toBeVisible();
});

test('a repost of a deleted post shows a placeholder', async () => {
  const nothing = { id: null, user: null, content: null, title: null, image: null, pictures: [], pdf: null };
  serve(
    postOf({
      repost: { ...nothing, videoUrl: null, createdAt: null, editedAt: null, mentions: [] },
      shareCount: 1,
    }),
  );
  await renderApp('/');
  expect(await screen.findByText('This post is no longer available.')).toBeVisible();
  expect(screen.getByText('0 comments · 1 share')).toBeVisible();
});

describe('Send', () => {
  const openSend = async () => {
    const app = await renderApp('/');
    await app.user.click(await screen.findByRole('button', { name: 'Send' }));
    return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Send to' })) };
  };

  test('sends text and address in an existing conversation', async () => {
    serve(postOf());
    const sent: unknown[] = [];
    server.use(
      http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
      http.post('/api/conversations/:id/messages', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(mine(9), { status: 201 });
      }),
    );
    const { user, dialog } = await openSend();
    await user.type(dialog.getByRole('textbox', { name: 'Message (optional)' }), 'For you.');
    await user.click(await dialog.findByRole('button', { name: 'Send to Priya Raghavan' }));
    expect(await dialog.findByRole('button', { name: 'Sent to Priya Raghavan' })).toBeVisible();
    expect(sent).toEqual([
      {
        userId: isabel.id,
        conversationId: conversationOf().id,
        content: `For you.\n${postAddress(postOf().id)}`,
      },
    ]);
  });

  test('finds a member by name and starts the conversation', async () => {
    serve(postOf());
    const asked = mockSearch({ people: [personOf({ ...marco, username: 'marco' })] });
    const opened: unknown[] = [];
    server.use(
      http.post('/api/conversations', async ({ request }) => {
        opened.push(await request.json());
        return HttpResponse.json(conversationOf({ id: 'talk' }));
      }),
      http.post('/api/conversations/talk/messages', () =>
        HttpResponse.json(mine(9, { conversationId: 'talk' }), { status: 201 }),
      ),
    );
    const { user, dialog } = await openSend();
    expect(await dialog.findByText('No conversations yet. Search for someone by name.')).toBeVisible();
    await user.type(dialog.getByRole('searchbox', { name: 'Search by name' }), 'marco');
    await user.click(await dialog.findByRole('button', { name: 'Send to Marco Villanueva' }));
    expect(await dialog.findByRole('button', { name: 'Sent to Marco Villanueva' })).toBeVisible();
    expect(opened).toEqual([{ userId: marco.id }]);
    expect(asked).toEqual([{ q: 'marco', type: 'people' }]);
  });

  test('shows a failure and can be retried', async () => {
    serve(postOf());
    server.use(
      http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
      http.post('/api/conversations/:id/messages', () => problem(429, { error: 'Too many messages' })),
    );
    const { user, dialog } = await openSend();
    await user.click(await dialog.findByRole('button', { name: 'Send to Priya Raghavan' }));
    expect(await screen.findByText('Failed to send post: 429: Too many messages')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Send to Priya Raghavan' })).toBeEnabled();
  });
});

test('a post in a message is a card, and a deleted one a placeholder', async () => {
  installElementHeights();
  const post = postOf({ content: 'Moot court on Friday.' });
  const other = '019a0000-0000-7000-8000-0000000000a9';
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
    http.get('/api/conversations/:id', () =>
      HttpResponse.json(
        threadOf([
          messageOf(1, { content: `Look:\n${postAddress(post.id)}` }),
          messageOf(2, { content: postAddress(other) }),
        ]),
      ),
    ),
    http.post('/api/conversations/:id/read', () => new HttpResponse(null, { status: 204 })),
    http.get('/api/posts/:id', ({ params }) =>
      params.id === post.id ? HttpResponse.json(post) : problem(404, { error: 'Post not found' }),
    ),
  );
  await renderApp(`/messages/${conversationOf().id}`);
  expect(await screen.findByText('Moot court on Friday.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See post by Priya Raghavan' })).toHaveAttribute(
    'href',
    `/posts/${post.id}`,
  );
  expect(await screen.findByText('This post is no longer available.')).toBeVisible();
});

test('only addresses of posts in this Portia are recognised', () => {
  const address = postAddress(postOf().id);
  expect(postsIn(`Hi ${address}!`)).toEqual({ words: 'Hi !', ids: [postOf().id] });
  for (const text of [`${address}/edit`, `https://elsewhere.example/posts/${postOf().id}`, `${address}0`])
    expect(postsIn(text)).toEqual({ words: text, ids: [] });
  expect(postsIn(`${address} ${address}`).ids).toHaveLength(1);
});
