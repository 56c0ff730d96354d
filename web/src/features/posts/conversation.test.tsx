// The conversation below a post: pages, times, permalinks, replies, likes, and the members who reacted.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeConversation, memberLikeOf, nth } from '@/testing/conversation';
import { gate } from '@/testing/jobs';
import { marco } from '@/testing/notifications';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const address = `/posts/${postOf().id}`;
const five = () => [1, 2, 3, 4, 5].map((n) => nth(n));
/** The texts of all comments and replies, in the order of the screen. */
const texts = () => screen.queryAllByText(/^Comment \d+$/).map(({ textContent }) => textContent);
const numbered = (...numbers: number[]) => numbers.map((n) => `Comment ${n}`);

describe('the page of a post', () => {
  test('shows the newest page and loads the earlier ones on demand', async () => {
    fakeConversation(isabel, ...five());
    const { user } = await renderApp(address);
    await waitFor(() => expect(texts()).toEqual(numbered(4, 5)));
    await user.click(screen.getByRole('button', { name: 'Show earlier comments' }));
    await waitFor(() => expect(texts()).toEqual(numbered(2, 3, 4, 5)));
    await user.click(screen.getByRole('button', { name: 'Show earlier comments' }));
    await waitFor(() => expect(texts()).toEqual(numbered(1, 2, 3, 4, 5)));
    expect(screen.queryByRole('button', { name: 'Show earlier comments' })).not.toBeInTheDocument();
  });

  test('has an open box, which is empty again after a comment', async () => {
    const fake = fakeConversation(isabel, nth(1));
    const { user } = await renderApp(address);
    const box = await screen.findByRole('textbox', { name: 'Comment' });
    expect(box).not.toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    expect(box).toHaveFocus();
    await user.type(box, 'Count me in.');
    await user.click(screen.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Count me in.', { selector: 'p' })).toBeVisible();
    expect(await screen.findByRole('textbox', { name: 'Comment' })).toHaveValue('');
    expect(fake.sent).toEqual([{ userId: isabel.id, content: 'Count me in.' }]);
  });

  test('a page of a post with few comments that failed to load has Try Again', async () => {
    fakeConversation(isabel, nth(1));
    let refused = 0;
    server.use(
      http.get('/api/posts/:id/comments', () => {
        if (refused > 0) return undefined;
        refused += 1;
        return problem(503, { error: 'Away' });
      }),
    );
    const { user } = await renderApp(address);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Earlier comments could not be loaded. Please try again.',
    );
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(texts()).toEqual(numbered(1));
  });

  test('leaves the list of posts as it was', async () => {
    fakeConversation(isabel, ...five());
    const { user } = await renderApp('/');
    await waitFor(() => expect(texts()).toEqual(numbered(3, 4, 5)));
    await user.click(screen.getByRole('link', { name: '2 hours ago' }));
    await screen.findByRole('textbox', { name: 'Comment' });
    await user.click(await screen.findByRole('button', { name: 'Show earlier comments' }));
    await waitFor(() => expect(texts()).toEqual(numbered(2, 3, 4, 5)));
    await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
    await waitFor(() => expect(texts()).toEqual(numbered(3, 4, 5)));
  });

  test('has no box for a visitor', async () => {
    server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
    fakeConversation(isabel, nth(1));
    const { user } = await renderApp(address);
    expect(await screen.findByText('Comment 1')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    expect(await screen.findByText('Please sign in to comment on posts')).toBeVisible();
  });

  test('shows when a comment was written and edited', async () => {
    const createdAt = new Date(Date.now() - 3 * 3_600_000).toISOString();
    fakeConversation(isabel, nth(1, { createdAt, editedAt: new Date().toISOString() }));
    await renderApp(address);
    const row = within((await screen.findByText('Comment 1')).closest('li') as HTMLElement);
    expect(row.getByText('3 hours ago')).toHaveAttribute('datetime', createdAt);
    expect(row.getByRole('link', { name: '3 hours ago' })).toHaveAttribute(
      'href',
      `${address}?comment=${nth(1).id}`,
    );
    expect(row.getByText('edited')).toBeVisible();
  });

  test('a failed further page shows an error', async () => {
    fakeConversation(isabel, ...five());
    server.use(http.get('/api/posts/:id/comments', () => problem(503, { error: 'Away' })));
    await renderApp(address);
    expect(await screen.findByText('Earlier comments could not be loaded. Please try again.')).toBeVisible();
    expect(texts()).toEqual(numbered(3, 4, 5));
  });
});

describe('a permalink', () => {
  const linked = () => document.querySelector('[aria-current="true"]');

  test('highlights a comment on the first page', async () => {
    fakeConversation(isabel, ...five());
    const scrolled = vi.fn();
    HTMLElement.prototype.scrollIntoView = scrolled;
    await renderApp(`${address}?comment=${nth(4).id}`);
    await waitFor(() => expect(linked()).toHaveTextContent('Comment 4'));
    expect(linked()).toHaveFocus();
    expect(scrolled).toHaveBeenCalledWith({ block: 'center' });
    expect(texts()).toEqual(numbered(4, 5));
  });

  test('shows an older comment before the first page, and once it is loaded in its place', async () => {
    fakeConversation(isabel, ...five());
    const { user } = await renderApp(`${address}?comment=${nth(2).id}`);
    await waitFor(() => expect(linked()).toHaveTextContent('Comment 2'));
    expect(texts()).toEqual(numbered(2, 4, 5));
    await user.click(screen.getByRole('button', { name: 'Show earlier comments' }));
    await waitFor(() => expect(texts()).toEqual(numbered(2, 3, 4, 5)));
    expect(linked()).toHaveTextContent('Comment 2');
  });

  test('opens the replies of a named reply, and shows one that is beyond their first page', async () => {
    const replies = [6, 7, 8, 9].map((n) => nth(n, { replyTo: nth(1).id }));
    fakeConversation(isabel, ...five(), ...replies);
    await renderApp(`${address}?comment=${nth(9).id}`);
    await waitFor(() => expect(linked()).toHaveTextContent('Comment 9'));
    await waitFor(() => expect(texts()).toEqual(numbered(1, 6, 7, 9, 4, 5)));
    expect(screen.getByRole('button', { name: '4 replies' })).toHaveAttribute('aria-expanded', 'true');
  });

  test('of a deleted comment says so', async () => {
    fakeConversation(isabel, ...five());
    await renderApp(`${address}?comment=${nth(20).id}`);
    expect(await screen.findByText('The linked comment is no longer available.')).toBeVisible();
    expect(texts()).toEqual(numbered(4, 5));
  });

  test('is copied from the menu, also by a visitor', async () => {
    server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
    fakeConversation(isabel, nth(1));
    const { user } = await renderApp(address);
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(
      await screen.findByRole('button', { name: 'Options for the comment by Priya Raghavan' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(copied).toHaveBeenCalledWith(`${window.location.origin}${address}?comment=${nth(1).id}`);
  });
});

describe('replies', () => {
  const reply = (n: number, to = 1) => nth(n, { replyTo: nth(to).id });

  test('are folded, and load page by page', async () => {
    fakeConversation(isabel, nth(1), reply(2), reply(3), reply(4));
    const { user } = await renderApp('/');
    const toggle = await screen.findByRole('button', { name: '3 replies' });
    expect(texts()).toEqual(numbered(1));
    await user.click(toggle);
    await waitFor(() => expect(texts()).toEqual(numbered(1, 2, 3)));
    await user.click(screen.getByRole('button', { name: 'Show more replies' }));
    await waitFor(() => expect(texts()).toEqual(numbered(1, 2, 3, 4)));
    await user.click(toggle);
    expect(texts()).toEqual(numbered(1));
  });

  test('that fail to load are loaded by Try Again', async () => {
    fakeConversation(isabel, nth(1), reply(2));
    server.use(http.get('/api/comments/:id/replies', () => problem(503, { error: 'Away' }), { once: true }));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: '1 reply' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Replies could not be loaded. Please try again. Try Again',
    );
    expect(screen.queryByText('Comment 2')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Comment 2')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('are written in a box below the comment', async () => {
    const fake = fakeConversation(isabel, nth(1));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Reply to the comment by Priya Raghavan' }));
    const box = await screen.findByRole('textbox', { name: 'Reply to Priya Raghavan' });
    expect(box).toHaveFocus();
    await user.type(box, 'Indeed.');
    await user.click(screen.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Indeed.', { selector: 'p' })).toBeVisible();
    expect(screen.getByRole('button', { name: '1 reply' })).toHaveAttribute('aria-expanded', 'true');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(fake.sent).toEqual([{ userId: isabel.id, content: 'Indeed.', replyTo: nth(1).id }]);
  });

  test('to a reply join the same thread', async () => {
    const fake = fakeConversation(isabel, nth(1), { ...reply(2), user: marco });
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: '1 reply' }));
    await user.click(await screen.findByRole('button', { name: 'Reply to the comment by Marco Villanueva' }));
    await user.type(await screen.findByRole('textbox', { name: 'Reply to Marco Villanueva' }), 'Thanks.');
    await user.click(screen.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Thanks.', { selector: 'p' })).toBeVisible();
    expect(screen.getByRole('button', { name: '2 replies' })).toBeVisible();
    expect(fake.sent).toEqual([{ userId: isabel.id, content: 'Thanks.', replyTo: nth(2).id }]);
  });

  describe('while one is sent', () => {
    const answer = async (user: Awaited<ReturnType<typeof renderApp>>['user'], name: string) => {
      await user.click(screen.getByRole('button', { name: `Reply to the comment by ${name}` }));
      return screen.findByRole('textbox', { name: `Reply to ${name}` });
    };
    async function sendSlowly() {
      const fake = fakeConversation(isabel, nth(1), { ...reply(2), user: marco });
      const response = gate();
      server.use(http.post('/api/posts/:id/comments', () => response.opened as Promise<undefined>));
      const { user } = await renderApp('/');
      await user.click(await screen.findByRole('button', { name: '1 reply' }));
      await screen.findByText('Comment 2');
      await user.type(await answer(user, 'Priya Raghavan'), 'Indeed.{Control>}{Enter}{/Control}');
      return { fake, response, user };
    }

    test('its success does not close the box of another one', async () => {
      const { response, user } = await sendSlowly();
      const other = await answer(user, 'Marco Villanueva');
      await user.type(other, 'Than');
      response.open();
      expect(await screen.findByText('Indeed.', { selector: 'p' })).toBeVisible();
      await user.type(other, 'ks.');
      expect(screen.getByRole('textbox', { name: 'Reply to Marco Villanueva' })).toHaveValue('Thanks.');
    });

    test('its box, opened again, does not send it twice', async () => {
      const { fake, response, user } = await sendSlowly();
      await answer(user, 'Marco Villanueva');
      const box = await answer(user, 'Priya Raghavan');
      expect(box).toHaveValue('Indeed.');
      await user.type(box, '{Control>}{Enter}{/Control}');
      expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled();
      response.open();
      await waitFor(() =>
        expect(screen.getByRole('textbox', { name: 'Reply to Priya Raghavan' })).toHaveValue(''),
      );
      expect(fake.sent).toEqual([{ userId: isabel.id, content: 'Indeed.', replyTo: nth(1).id }]);
    });
  });

  test('a failed one keeps the text and shows the reason', async () => {
    fakeConversation(isabel, nth(1));
    server.use(http.post('/api/posts/:id/comments', () => problem(404, { error: 'Comment not found' })));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Reply to the comment by Priya Raghavan' }));
    await user.type(await screen.findByRole('textbox', { name: 'Reply to Priya Raghavan' }), 'Indeed.');
    await user.click(screen.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Failed to add comment: 404: Comment not found')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Reply to Priya Raghavan' })).toHaveValue('Indeed.');
  });

  test('the deletion of a comment names the number of replies', async () => {
    fakeConversation(isabel, nth(1, { user: isabel }), reply(2), reply(3));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete comment' }));
    expect(
      await screen.findByRole('dialog', {
        description: 'It will be permanently deleted with 2 replies.',
      }),
    ).toBeVisible();
  });
});

describe('likes of a comment', () => {
  const button = () => screen.findByRole('button', { name: 'Like the comment by Priya Raghavan' });

  test('are set and removed', async () => {
    const fake = fakeConversation(isabel, nth(1, { likeCount: 1 }));
    const { user } = await renderApp('/');
    expect(await button()).toHaveAttribute('aria-pressed', 'false');
    await user.click(await button());
    expect(await screen.findByText('2 likes')).toBeVisible();
    expect(await button()).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(fake.comments[0]?.likeCount).toBe(2));
    await user.click(await button());
    expect(await screen.findByText('1 like')).toBeVisible();
    expect(await button()).toHaveAttribute('aria-pressed', 'false');
    await waitFor(() => expect(fake.sent).toEqual([`like ${nth(1).id}`, `UNLIKE ${nth(1).id}`]));
  });

  test('the other reactions open with ArrowUp', async () => {
    const fake = fakeConversation(isabel, nth(1));
    const { user } = await renderApp('/');
    (await button()).focus();
    await user.keyboard('{ArrowUp}');
    await user.click(await screen.findByRole('button', { name: 'Insightful' }));
    const mine = await screen.findByRole('button', { name: 'Insightful: the comment by Priya Raghavan' });
    expect(mine).toHaveAttribute('aria-pressed', 'true');
    expect(mine).toHaveTextContent('Insightful');
    await waitFor(() => expect(fake.sent).toEqual([`insightful ${nth(1).id}`]));
  });

  test('need a session', async () => {
    server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
    const fake = fakeConversation(isabel, nth(1));
    const { user } = await renderApp(address);
    await user.click(await button());
    expect(await screen.findByText('Please sign in to like comments')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Reply to the comment by Priya Raghavan' }));
    expect(await screen.findByText('Please sign in to comment on posts')).toBeVisible();
    expect(fake.sent).toEqual([]);
  });

  test('a refused one shows the reason', async () => {
    fakeConversation(isabel, nth(1));
    server.use(http.post('/api/comments/:id/likes', () => problem(404, { error: 'Comment not found' })));
    const { user } = await renderApp('/');
    await user.click(await button());
    expect(await screen.findByText('Failed to like comment: 404: Comment not found')).toBeVisible();
    expect(await button()).toHaveAttribute('aria-pressed', 'false');
  });
});

describe('the members who reacted', () => {
  test('to a comment are listed with their reaction', async () => {
    fakeConversation(isabel, nth(1, { likeCount: 2 }));
    server.use(
      http.get('/api/comments/:id/likes', () =>
        HttpResponse.json([
          memberLikeOf({ userId: marco.id, user: marco, type: 'insightful' }),
          memberLikeOf(),
        ]),
      ),
    );
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: '2 likes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reactions' }));
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(2));
    const [first] = dialog.getAllByRole('listitem');
    expect(first).toHaveTextContent('Marco VillanuevaLaw clerk, Court of AppealsInsightful');
    expect(dialog.getByRole('link', { name: 'Priya Raghavan' })).toHaveAttribute(
      'href',
      `/profile/${priya.id}`,
    );
  });

  test('to a post are paged; a failure shows an error', async () => {
    server.use(
      http.get('/api/posts', () => HttpResponse.json([postOf({ likeCount: 2 })])),
      http.get('/api/posts/:id/likes', ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json([memberLikeOf({ userId: marco.id, user: marco })])
          : HttpResponse.json([memberLikeOf()], {
              headers: { Link: '</api/posts/p/likes?cursor=c>; rel="next"' },
            }),
      ),
    );
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: '2 likes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reactions' }));
    await user.click(await dialog.findByRole('button', { name: 'Show more' }));
    expect(await dialog.findByRole('link', { name: 'Marco Villanueva' })).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    server.use(http.get('/api/posts/:id/likes', () => problem(503, { error: 'Away' })));
    await user.click(await screen.findByRole('button', { name: '2 likes' }));
    expect(await screen.findByText('Reactions could not be loaded. Please try again later.')).toBeVisible();
  });
});
