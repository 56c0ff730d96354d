// The feed for a member and a visitor: every text of the specification about posts, likes and comments.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { communityOf } from '@/testing/communities';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));

beforeEach(() => {
  signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
});

async function openComposer() {
  const app = await renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Start a post...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  return { ...app, dialog };
}

test('an empty feed asks for the first post', async () => {
  await renderApp('/');
  expect(await screen.findByText('No posts to display.')).toBeVisible();
  expect(screen.getByText('Why not create the first post?')).toBeVisible();
});

test('a feed that fails to load shows an error, and the page works', async () => {
  server.use(http.get('/api/posts', () => problem(503, { error: 'Please try again' })));
  await renderApp('/');
  expect(await screen.findByText('Error loading posts. Please try again later.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Start a post...' })).toBeVisible();
});

test('a post shows author, headline, time, counts and comments', async () => {
  serve(
    postOf({ likeCount: 84, commentCount: 1, comments: [commentOf('Both, up to 3,000 words.')] }),
    postOf({ id: '019a0000-0000-7000-8000-0000000000a2', likeCount: 1 }),
  );
  await renderApp('/');
  const [first, second] = await screen.findAllByRole('article');
  if (!first || !second) throw new Error('two posts');
  expect(within(first).getAllByText('Priya Raghavan')[0]).toBeVisible();
  expect(within(first).getByText(priya.headline)).toBeVisible();
  expect(within(first).getByText('2 hours ago')).toBeVisible();
  expect(within(first).getByText('84 likes')).toBeVisible();
  expect(within(first).getByText('1 comment · 0 shares')).toBeVisible();
  expect(within(first).getByText('Both, up to 3,000 words.')).toBeVisible();
  expect(within(second).getByText('1 like')).toBeVisible();
  expect(within(second).getByText('0 comments · 0 shares')).toBeVisible();
});

test('the sort selector refetches in the selected order', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/posts', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('sort'));
      return HttpResponse.json([]);
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('combobox', { name: 'Sort by:' }));
  await user.click(await screen.findByRole('option', { name: 'Top' }));
  await waitFor(() => expect(asked).toEqual(['relevant', 'top']));
});

test('the selected order is kept on the device, for each member', async () => {
  const first = await renderApp('/');
  await first.user.click(await screen.findByRole('combobox', { name: 'Sort by:' }));
  await first.user.click(await screen.findByRole('option', { name: 'Recent' }));
  await waitFor(() => expect(localStorage.getItem(`portia-feed-sort:${isabel.id}`)).toBe('recent'));
  first.unmount();
  const second = await renderApp('/');
  expect(await screen.findByRole('combobox', { name: 'Sort by:' })).toHaveTextContent('Recent');
  second.unmount();
  signedInAs({ ...isabel, id: 'other' });
  await renderApp('/');
  expect(await screen.findByRole('combobox', { name: 'Sort by:' })).toHaveTextContent('Most relevant');
});

test('an empty post is refused with a toast', async () => {
  const { user, dialog } = await openComposer();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), '   ');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Empty post')).toBeVisible();
  expect(screen.getByText('Please write something before posting.')).toBeVisible();
});

test('a published post closes the dialog, shows a toast, and refreshes the list', async () => {
  const sent: unknown[] = [];
  const posts: Post[] = [];
  server.use(
    http.get('/api/posts', () => HttpResponse.json(posts)),
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      posts.push(postOf({ content: 'We won.', user: isabel }));
      return HttpResponse.json(posts[0], { status: 201 });
    }),
  );
  const { user, dialog } = await openComposer();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(screen.getByText('Your post has been published successfully.')).toBeVisible();
  expect(await screen.findByText('We won.')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(sent).toEqual([{ userId: isabel.id, content: 'We won.' }]);
});

test('while a post is sent the button reads Posting... and is disabled', async () => {
  let finish = (_: Response) => {};
  server.use(http.post('/api/posts', () => new Promise<Response>((resolve) => (finish = resolve)) as never));
  const { user, dialog } = await openComposer();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Slowly.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await dialog.findByRole('button', { name: 'Posting...' })).toBeDisabled();
  finish(HttpResponse.json(postOf(), { status: 201 }));
  expect(await screen.findByText('Post created')).toBeVisible();
});

test('the next post can be written while the list is read again', async () => {
  serve();
  server.use(http.post('/api/posts', () => HttpResponse.json(postOf(), { status: 201 })));
  const { user } = await renderApp('/');
  const write = async (text: string) => {
    await user.click(await screen.findByRole('button', { name: /Start a post/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
    const field = dialog.getByRole('textbox', { name: 'Post' });
    await user.type(field, text);
    return { dialog, field };
  };
  const { dialog } = await write('First.');
  server.use(http.get('/api/posts', () => new Promise<undefined>(() => {})));
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  const next = await write('Second.');
  expect(next.field).toHaveValue('Second.');
  expect(next.dialog.getByRole('button', { name: 'Post' })).toBeEnabled();
});

test('a failed post keeps its text and shows the reason', async () => {
  server.use(http.post('/api/posts', () => problem(503, { error: 'Portia is busy' })));
  const { user, dialog } = await openComposer();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Failed to create post: 503: Portia is busy')).toBeVisible();
  expect(screen.getByText('Error')).toBeVisible();
  expect(dialog.getByRole('textbox', { name: 'Post' })).toHaveValue('We won.');
});

test('a like is sent as in the specification, and a second press removes it', async () => {
  const calls: [string, unknown][] = [];
  const post = postOf();
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.post('/api/posts/:id/likes', async ({ request }) => {
      calls.push(['POST', await request.json()]);
      post.likes = [{ userId: isabel.id, type: 'like' }];
      post.likeCount = 1;
      return HttpResponse.json(post.likes[0]);
    }),
    http.delete('/api/posts/:id/likes', () => {
      calls.push(['DELETE', null]);
      post.likes = [];
      post.likeCount = 0;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like', pressed: false }));
  expect(await screen.findByText('1 like')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Like', pressed: true }));
  expect(await screen.findByText('0 likes')).toBeVisible();
  await waitFor(() =>
    expect(calls).toEqual([
      ['POST', { userId: isabel.id, type: 'like' }],
      ['DELETE', null],
    ]),
  );
});

test('a failed like shows the reason', async () => {
  serve(postOf());
  server.use(http.post('/api/posts/:id/likes', () => problem(404, { error: 'Post not found' })));
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect(await screen.findByText('Failed to like post: 404: Post not found')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Like' })).toHaveAttribute('aria-pressed', 'false');
  expect(screen.getByText('0 likes')).toBeVisible();
});

test('only a comment with text is posted, and the box closes', async () => {
  const sent: unknown[] = [];
  const post = postOf();
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.post('/api/posts/:id/comments', async ({ request }) => {
      sent.push(await request.json());
      post.comments = [commentOf('Count me in.')];
      post.commentCount = 1;
      return HttpResponse.json(post.comments[0], { status: 201 });
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  const box = await screen.findByRole('textbox', { name: 'Comment' });
  const submit = screen.getByRole('button', { name: 'Post' });
  expect(submit).toBeDisabled();
  await user.type(box, '   ');
  expect(submit).toBeDisabled();
  await user.type(box, 'Count me in.  ');
  await user.click(submit);
  expect(await screen.findByText('Count me in.')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
  expect(sent).toEqual([{ userId: isabel.id, content: 'Count me in.' }]);
  expect(Object.keys(localStorage).filter((key) => key.includes('draft:'))).toEqual([]);
});

test('Cancel closes the comment box, a failure keeps it open and shows the reason', async () => {
  serve(postOf());
  server.use(http.post('/api/posts/:id/comments', () => problem(503, { error: 'Portia is busy' })));
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Comment' }));
  await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Count me in.');
  await user.click(screen.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Failed to add comment: 503: Portia is busy')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Comment' })).toHaveValue('Count me in.');
});

test('keys typed before the code of the comment box has loaded are in the box', async () => {
  serve(postOf());
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.keyboard('Count me');
  const box = await screen.findByRole('textbox', { name: 'Comment' });
  await user.keyboard(' in.');
  await waitFor(() => expect(box).toHaveValue('Count me in.'));
  expect(box).toHaveFocus();
});

test('earlier comments are fetched on demand, oldest at the top', async () => {
  const [oldest, older, newest] = ['One', 'Four', 'Seven..'].map((text) => commentOf(text));
  serve(postOf({ commentCount: 3, comments: newest ? [newest] : [] }));
  server.use(
    http.get('/api/posts/:id/comments', ({ request }) =>
      new URL(request.url).searchParams.has('page')
        ? HttpResponse.json([oldest])
        : HttpResponse.json([older, newest], {
            headers: { Link: '</api/posts/x/comments?page=2>; rel="next"' },
          }),
    ),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Show earlier comments' }));
  expect(await screen.findByText('Four')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show earlier comments' }));
  expect(await screen.findByText('One')).toBeVisible();
  const shown = within(screen.getByRole('article')).getAllByRole('listitem');
  expect(shown.map((item) => within(item).getByText(/One|Four|Seven/).textContent)).toEqual([
    'One',
    'Four',
    'Seven..',
  ]);
  expect(screen.queryByRole('button', { name: 'Show earlier comments' })).not.toBeInTheDocument();
});

test('a visitor is asked to sign in before liking and commenting', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/posts/:id', () => HttpResponse.json(postOf())),
  );
  const { user } = await renderApp('/posts/019a0000-0000-7000-8000-0000000000a1');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect(await screen.findByText('Sign in required')).toBeVisible();
  expect(screen.getByText('Please sign in to like posts')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Comment' }));
  expect(await screen.findByText('Please sign in to comment on posts')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
});

const review = communityOf({ role: 'owner' });
const circle = communityOf({ id: 'c2', name: 'Constitutional Law Circle', role: 'member' });

test('a post is published in the selected community, and the next one for everyone', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/communities', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([circle, communityOf({ id: 'c3', name: 'Not mine' })])
        : HttpResponse.json([review], { headers: { Link: '</api/communities?cursor=2>; rel="next"' } }),
    ),
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const { user, dialog } = await openComposer();
  const audience = await dialog.findByRole('combobox', { name: 'Who can see this post' });
  expect(audience).toHaveTextContent('Everyone');
  await user.click(audience);
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'Everyone',
    'Eastbay Law Review',
    'Constitutional Law Circle',
  ]);
  await user.click(screen.getByRole('option', { name: 'Constitutional Law Circle' }));
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Members only.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, content: 'Members only.', communityId: 'c2' }]);

  await user.click(screen.getByRole('button', { name: 'Start a post...' }));
  const next = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  expect(next.getByRole('combobox')).toHaveTextContent('Everyone');
  await user.type(next.getByRole('textbox', { name: 'Post' }), 'For all.');
  await user.click(next.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ userId: isabel.id, content: 'For all.' });
});

test('a member without communities has no audience selector', async () => {
  server.use(http.get('/api/communities', () => HttpResponse.json([communityOf()])));
  const { dialog } = await openComposer();
  expect(await dialog.findByRole('button', { name: 'Post' })).toBeVisible();
  expect(dialog.queryByRole('combobox')).not.toBeInTheDocument();
});

test('a post in a community is retried with the same key until feed knows the membership', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.get('/api/communities', () => HttpResponse.json([review])),
    http.post('/api/posts', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length < 3
        ? problem(403, { error: 'Join this community to take part in it.' })
        : HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const { user, dialog } = await openComposer();
  await user.click(await dialog.findByRole('combobox'));
  await user.click(await screen.findByRole('option', { name: 'Eastbay Law Review' }));
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Members only.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('the same text may be posted twice on purpose', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post('/api/posts', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const { user, dialog } = await openComposer();
  const post = async (into: typeof dialog) => {
    await user.type(into.getByRole('textbox', { name: 'Post' }), 'Again.');
    await user.click(into.getByRole('button', { name: 'Post' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  };
  await post(dialog);
  await user.click(screen.getByRole('button', { name: 'Start a post...' }));
  await post(within(await screen.findByRole('dialog', { name: 'Create a post' })));
  expect(new Set(keys).size).toBe(2);
});

test('a post shows its community with a link', async () => {
  serve(postOf({ community: { id: review.id, name: review.name } }), postOf({ id: 'p2' }));
  await renderApp('/');
  const [first, second] = await screen.findAllByRole('article');
  if (!first || !second) throw new Error('two posts');
  expect(within(first).getByRole('link', { name: 'Eastbay Law Review' })).toHaveAttribute(
    'href',
    `/communities/${review.id}`,
  );
  expect(within(second).queryByRole('link', { name: 'Eastbay Law Review' })).not.toBeInTheDocument();
});

test('an own post in a community that its author left names none', async () => {
  serve(postOf({ community: { id: review.id, name: '' } }));
  await renderApp('/');
  const post = await screen.findByRole('article');
  expect(within(post).getByText(/in a community you are not in/)).toBeInTheDocument();
  expect(within(post).queryByRole('link', { name: '' })).not.toBeInTheDocument();
  for (const name of ['Like', 'Comment', 'Share', 'Send'])
    expect(within(post).queryByRole('button', { name })).not.toBeInTheDocument();
});

test('the sort selector offers Most relevant, Recent and Top', async () => {
  const { user } = await renderApp('/');
  const selector = await screen.findByRole('combobox', { name: 'Sort by:' });
  expect(selector).toHaveTextContent('Most relevant');
  await user.click(selector);
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'Most relevant',
    'Recent',
    'Top',
  ]);
});

test('while a comment is sent its button is disabled', async () => {
  let finish = (_: Response) => {};
  serve(postOf());
  server.use(
    http.post(
      '/api/posts/:id/comments',
      () => new Promise<Response>((resolve) => (finish = resolve)) as never,
    ),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Count me in.');
  const submit = screen.getByRole('button', { name: 'Post' });
  expect(submit).toBeEnabled();
  await user.click(submit);
  await waitFor(() => expect(submit).toBeDisabled());
  finish(HttpResponse.json(commentOf('Count me in.'), { status: 201 }));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument());
});

test('a like on the page of a post refetches the post', async () => {
  const post = postOf();
  server.use(
    http.get('/api/posts/:id', () => HttpResponse.json(post)),
    http.post('/api/posts/:id/likes', () => {
      post.likes = [{ userId: isabel.id, type: 'like' }];
      // Other members have liked it meanwhile.
      post.likeCount = 7;
      return HttpResponse.json(post.likes[0]);
    }),
  );
  const { user } = await renderApp(`/posts/${post.id}`);
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect(await screen.findByText('7 likes')).toBeVisible();
});

test('a post shows its text, and the picture or the initials of its author', async () => {
  serve(postOf({ user: { ...priya, avatarUrl: '/media/priya.jpg' } }), postOf({ id: 'p2', content: 'Two.' }));
  await renderApp('/');
  const [first, second] = await screen.findAllByRole('article');
  expect(first).toHaveTextContent('Note submissions close on Friday.');
  expect(first?.querySelector('img')).toHaveAttribute('src', '/media/priya.jpg');
  expect(second?.querySelector('img')).toBeNull();
  expect(second).toHaveTextContent(/^PR.*Two\./);
});

test('a long post is folded in a list, and stays unfolded once it was opened', async () => {
  const long = postOf({ id: 'long', content: `Digest. ${'Held. '.repeat(200)}` });
  serve(long, postOf({ id: 'lines', content: '1\n'.repeat(14) }), postOf({ id: 'short' }));
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(long)));
  const { user } = await renderApp('/');
  const text = await screen.findByText(/^Digest\./);
  expect(text).toHaveClass('line-clamp-8');
  expect(screen.getAllByRole('button', { name: 'Show more' })).toHaveLength(2);
  await user.click(screen.getAllByRole('button', { name: 'Show more' })[0] as HTMLElement);
  expect(text).not.toHaveClass('line-clamp-8');
  expect(screen.getAllByRole('button', { name: 'Show more' })).toHaveLength(1);
  await user.click(screen.getAllByRole('link', { name: '2 hours ago' })[0] as HTMLElement);
  expect(await screen.findByRole('textbox', { name: 'Comment' })).toBeVisible();
  expect(screen.getByText(/^Digest\./)).not.toHaveClass('line-clamp-8');
  await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
  expect(await screen.findAllByRole('button', { name: 'Show more' })).toHaveLength(1);
});

test('the page of a long post shows all of it', async () => {
  const post = postOf({ id: 'all', content: 'Held. '.repeat(200) });
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(post)));
  await renderApp('/posts/all');
  expect(await screen.findByText(/^Held\./)).not.toHaveClass('line-clamp-8');
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

test('the toast of a published post leads to it', async () => {
  const created = postOf({ id: 'created', content: 'We won.', user: isabel });
  server.use(
    http.post('/api/posts', () => HttpResponse.json(created, { status: 201 })),
    http.get('/api/posts/:id', () => HttpResponse.json(created)),
  );
  const { user, dialog, path } = await openComposer();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  await user.click(await screen.findByRole('button', { name: 'View post' }));
  expect(path()).toBe('/posts/created');
});
