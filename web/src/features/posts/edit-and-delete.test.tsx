// Editing and deleting the member's own posts and comments, and the edited mark.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Comment, Post } from '@/api/schema.gen';
import { deviceKeys } from '@/session/device-store';
import { gate } from '@/testing/jobs';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

/** A feed that stores changes. */
function fakeFeed(...posts: Post[]) {
  const wall = { posts, sent: [] as unknown[] };
  const find = (id: unknown) => wall.posts.find((post) => post.id === id);
  server.use(
    http.get('/api/posts', () => HttpResponse.json(wall.posts)),
    http.get('/api/posts/:id', ({ params }) => {
      const post = find(params.id);
      return post ? HttpResponse.json(post) : problem(404, { error: 'Post not found' });
    }),
    http.patch<{ id: string }, Partial<Post>>('/api/posts/:id', async ({ request, params }) => {
      const change = await request.json();
      wall.sent.push(change);
      const { content = '', title } = change;
      wall.posts = wall.posts.map((post) =>
        post.id === params.id
          ? { ...post, content, ...(title && { title }), editedAt: new Date().toISOString() }
          : post,
      );
      return HttpResponse.json(find(params.id));
    }),
    http.delete('/api/posts/:id', ({ params }) => {
      wall.sent.push(`DELETE ${params.id}`);
      wall.posts = wall.posts.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return wall;
}

const mine = (changes: Partial<Post> = {}) => postOf({ user: isabel, ...changes });

async function choose(item: string, at = '/') {
  const app = await renderApp(at);
  await app.user.click(await screen.findByRole('button', { name: 'Options for this post' }));
  await app.user.click(await screen.findByRole('menuitem', { name: item }));
  return app;
}

describe('the member’s own post', () => {
  test('is edited and marked as edited', async () => {
    const wall = fakeFeed(mine());
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }));
    const text = dialog.getByRole('textbox', { name: 'Text' });
    expect(text).toHaveValue('Note submissions close on Friday.');
    await user.clear(text);
    await user.type(text, 'On Monday.');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Post changed')).toBeVisible();
    expect(await screen.findByText('On Monday.')).toBeVisible();
    expect(screen.getByText('edited')).toBeVisible();
    expect(wall.sent).toEqual([{ content: 'On Monday.' }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('keeps its text as it is while it is saved', async () => {
    const wall = fakeFeed(mine());
    const answer = gate();
    server.use(http.patch('/api/posts/:id', () => answer.opened as Promise<undefined>));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }));
    const text = dialog.getByRole('textbox', { name: 'Text' });
    await user.type(text, ' At noon.');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await user.type(text, ' Or later.');
    expect(text).toHaveValue('Note submissions close on Friday. At noon.');
    answer.open();
    expect(await screen.findByText('Post changed')).toBeVisible();
    expect(wall.sent).toEqual([{ content: 'Note submissions close on Friday. At noon.' }]);
  });

  test('must not become empty; a refusal shows the reason and keeps the text', async () => {
    fakeFeed(mine());
    server.use(http.patch('/api/posts/:id', () => problem(403, { error: 'Not your post' })));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog'));
    const text = dialog.getByRole('textbox', { name: 'Text' });
    await user.clear(text);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Empty post')).toBeVisible();
    await user.type(text, 'Other.');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to change post: 403: Not your post')).toBeVisible();
    expect(text).toHaveValue('Other.');
  });

  test('with a picture: the alt text can be added later', async () => {
    const image = { url: '/media/a.jpg', alt: 'A hall', width: 800, height: 400 };
    const wall = fakeFeed(mine({ image, imageUrl: image.url, pictures: [image] }));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog'));
    const alt = dialog.getByRole('textbox', { name: 'What does the picture show?' });
    expect(alt).toHaveValue('A hall');
    await user.type(alt, ' full of people');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Post changed');
    expect(wall.sent).toEqual([{ content: mine().content, pictureAlts: ['A hall full of people'] }]);
  });

  test('with several pictures: each has its field, and an unchanged text of all is not sent', async () => {
    const pictures = [1, 2].map((n) => ({ url: `/media/${n}.jpg`, alt: `Hall ${n}`, width: 80, height: 60 }));
    const wall = fakeFeed(mine({ image: pictures[0], imageUrl: '/media/1.jpg', pictures }));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('textbox', { name: 'What does picture 1 show?' })).toHaveValue('Hall 1');
    const second = dialog.getByRole('textbox', { name: 'What does picture 2 show?' });
    expect(second).toHaveValue('Hall 2');
    await user.type(second, ' at noon ');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Post changed');
    expect(wall.sent).toEqual([{ content: mine().content, pictureAlts: ['Hall 1', 'Hall 2 at noon'] }]);
  });

  test('with a picture: descriptions that did not change are not sent', async () => {
    const image = { url: '/media/a.jpg', alt: 'A hall', width: 800, height: 400 };
    const wall = fakeFeed(mine({ image, imageUrl: image.url, pictures: [image] }));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Text' }), '!');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Post changed');
    expect(wall.sent).toEqual([{ content: `${mine().content}!` }]);
  });

  test('an article is edited with its full text', async () => {
    const wall = fakeFeed(mine({ title: 'On notes', content: 'Begin' }));
    server.use(
      http.get('/api/posts/:id', () =>
        HttpResponse.json(mine({ title: 'On notes', content: '# Begin\nand **end**' })),
      ),
    );
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit article' }));
    expect(await dialog.findByRole('textbox', { name: 'Article' })).toHaveValue('# Begin\nand **end**');
    await user.type(dialog.getByRole('textbox', { name: 'Title' }), ' and comments');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Post changed');
    expect(wall.sent).toEqual([{ content: '# Begin\nand **end**', title: 'On notes and comments' }]);
  });

  test('is deleted from the list after a confirmation', async () => {
    const wall = fakeFeed(mine(), postOf({ id: 'p2', content: 'Another’s.' }));
    const { user } = await choose('Delete post');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this post?' }));
    expect(wall.sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Post deleted')).toBeVisible();
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(wall.sent).toEqual([`DELETE ${mine().id}`]);
  });

  test('deletion on the page of the post leads home; an already deleted post counts as deleted', async () => {
    fakeFeed(mine());
    server.use(http.delete('/api/posts/:id', () => problem(404, { error: 'Post not found' })));
    const { user, path } = await choose('Delete post', `/posts/${mine().id}`);
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(path()).toBe('/'));
    expect(await screen.findByText('Post deleted')).toBeVisible();
  });

  test('a failed deletion shows the reason', async () => {
    fakeFeed(mine());
    server.use(http.delete('/api/posts/:id', () => problem(503, { error: 'Portia is busy' })));
    const { user } = await choose('Delete post');
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Failed to delete post: 503: Portia is busy')).toBeVisible();
    expect(screen.getByText(mine().content)).toBeVisible();
  });

  /** A repost with this text. */
  function repostWith(words: string) {
    const { id, title, content, image, pictures, pdf, videoUrl, createdAt, editedAt } = postOf();
    const repost = {
      id,
      user: priya,
      title,
      content,
      image,
      pictures,
      pdf,
      videoUrl,
      createdAt,
      editedAt,
      mentions: [],
    };
    return mine({ id: 'again', content: words, repost });
  }

  test('the text of a repost must not become empty', async () => {
    const wall = fakeFeed(repostWith('Look.'));
    const { user } = await choose('Edit post');
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByRole('textbox', { name: 'Text' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Empty post')).toBeVisible();
    expect(wall.sent).toEqual([]);
  });

  test('a repost without text cannot be edited', async () => {
    fakeFeed(repostWith(''));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for this post' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Save',
      'Why am I seeing this?',
      'Delete post',
    ]);
  });
});

test('a post of another member can be saved and reported, but not edited', async () => {
  fakeFeed(postOf());
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' });
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Save',
    'Follow Priya Raghavan',
    'Hide post',
    'Not interested',
    'Mute...',
    'Why am I seeing this?',
    'Connect with Priya Raghavan',
    'Message Priya Raghavan',
    'Report post',
    'Block Priya Raghavan',
  ]);
});

describe('comments', () => {
  const comment = (by: Comment['user'], changes: Partial<Comment> = {}): Comment => ({
    ...commentOf('Count me in.'),
    user: by,
    ...changes,
  });
  const list = () => within(screen.getByRole('article')).getByRole('list');

  /** A post with one comment that can be edited and deleted. */
  function discussed(post: Partial<Post>, one: Comment) {
    const shown = postOf({ commentCount: 1, comments: [one], ...post });
    const sent: unknown[] = [];
    server.use(
      http.get('/api/posts', () => HttpResponse.json([shown])),
      http.patch<{ id: string }, { content: string }>('/api/comments/:id', async ({ request }) => {
        const { content } = await request.json();
        sent.push(content);
        shown.comments = [{ ...one, content, editedAt: new Date().toISOString() }];
        return HttpResponse.json(shown.comments[0]);
      }),
      http.delete('/api/comments/:id', ({ params }) => {
        sent.push(`DELETE ${params.id}`);
        shown.comments = [];
        shown.commentCount = 0;
        return HttpResponse.json({ postId: shown.id, commentCount: 0 });
      }),
    );
    return sent;
  }

  test('the member’s own is edited in place and marked as edited', async () => {
    const sent = discussed({}, comment(isabel));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    expect(field).toHaveValue('Count me in.');
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, ' Twice.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Count me in. Twice.')).toBeVisible();
    expect(within(list()).getByText('edited')).toBeVisible();
    expect(sent).toEqual(['Count me in. Twice.']);
  });

  test('a changed text is kept when the member goes elsewhere, until Cancel', async () => {
    const sent = discussed({}, comment(isabel, { id: 'mine' }));
    const edit = async ({ user }: Awaited<ReturnType<typeof renderApp>>) => {
      await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
      return screen.findByRole('textbox', { name: 'Comment' });
    };
    const first = await renderApp('/');
    await first.user.type(await edit(first), ' Twice.');
    first.unmount();
    const second = await renderApp('/');
    const field = (await edit(second)) as HTMLTextAreaElement;
    expect(field).toHaveValue('Count me in. Twice.');
    expect(field.selectionStart).toBe(field.value.length);
    expect(screen.getByText('Draft')).toBeVisible();
    await second.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await edit(second)).toHaveValue('Count me in.');
    expect(screen.queryByText('Draft')).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  test('a saved change leaves no draft behind, also when the member went elsewhere meanwhile', async () => {
    const sent = discussed({}, comment(isabel, { id: 'mine' }));
    const answer = gate();
    server.use(http.patch('/api/comments/:id', () => answer.opened as Promise<undefined>));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
    await user.type(await screen.findByRole('textbox', { name: 'Comment' }), ' Twice.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const drafts = () => deviceKeys().filter((key) => key.includes('edit comment'));
    expect(drafts()).toHaveLength(1);
    const navigation = screen.getAllByRole('navigation')[0] as HTMLElement;
    await user.click(within(navigation).getByRole('link', { name: 'Network' }));
    await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument());
    answer.open();
    await waitFor(() => expect(drafts()).toEqual([]));
    expect(sent).toEqual(['Count me in. Twice.']);
  });

  test('a saved change does not take the focus from where the member moved it', async () => {
    discussed({}, comment(isabel));
    const answer = gate();
    server.use(http.patch('/api/comments/:id', () => answer.opened as Promise<undefined>));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    await user.type(field, ' Twice.{Control>}{Enter}{/Control}');
    const like = screen.getByRole('button', { name: 'Like' });
    like.focus();
    answer.open();
    await waitFor(() => expect(field).not.toBeInTheDocument());
    expect(like).toHaveFocus();
  });

  test('the member’s own is deleted after a confirmation', async () => {
    const sent = discussed({}, comment(isabel, { id: 'mine' }));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete comment' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this comment?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Comment deleted')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Count me in.')).not.toBeInTheDocument());
    expect(sent).toEqual(['DELETE mine']);
  });

  test('one by another member on the member’s own post can be deleted and reported, and its author blocked', async () => {
    discussed({ user: isabel }, comment(priya));
    const { user } = await renderApp('/');
    await user.click(
      await screen.findByRole('button', { name: 'Options for the comment by Priya Raghavan' }),
    );
    await screen.findByRole('menuitem', { name: 'Report comment' });
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Copy link',
      'Delete comment',
      'Report comment',
      'Block Priya Raghavan',
    ]);
  });

  test('failed changes show the reason', async () => {
    discussed({}, comment(isabel));
    server.use(
      http.patch('/api/comments/:id', () => problem(404, { error: 'Comment not found' })),
      http.delete('/api/comments/:id', () => problem(404, { error: 'Comment not found' })),
    );
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
    await user.type(await screen.findByRole('textbox', { name: 'Comment' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to change comment: 404: Comment not found')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete comment' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Failed to delete comment: 404: Comment not found')).toBeVisible();
  });
});
