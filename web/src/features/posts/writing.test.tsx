// Writing posts and comments: too long texts, and the keys of the comment box.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { gate } from '@/testing/jobs';
import { commentOf, postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

describe('a text that is too long', () => {
  test('as a post is kept whole and is not sent until it is shortened', async () => {
    const sent: { content: string }[] = [];
    server.use(
      http.post('/api/posts', async ({ request }) => {
        sent.push((await request.json()) as { content: string });
        return HttpResponse.json(postOf(), { status: 201 });
      }),
    );
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Start a post...' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
    const field = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Post' });
    await user.click(field);
    await user.paste('x'.repeat(5_012));
    expect(field.value).toHaveLength(5_012);
    expect(dialog.getByText('12 characters too many')).toBeVisible();
    expect(field).toBeInvalid();
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Please shorten it to 5,000 characters.')).toBeVisible();
    expect(sent).toEqual([]);
    await user.type(field, '{Backspace>12/}');
    expect(dialog.getByText('5,000 of 5,000 characters')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    await waitFor(() => expect(sent).toEqual([{ userId: isabel.id, content: 'x'.repeat(5_000) }]));
  });

  test('is counted as the server counts: an emoji is one character', async () => {
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Start a post...' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
    await user.click(dialog.getByRole('textbox', { name: 'Post' }));
    await user.paste('😀'.repeat(4_600));
    expect(dialog.getByText('4,600 of 5,000 characters')).toBeVisible();
  });

  test('as a comment is kept whole and cannot be posted', async () => {
    server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Comment' }));
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' });
    await user.click(box);
    await user.paste('x'.repeat(2_001));
    expect(box.value).toHaveLength(2_001);
    expect(screen.getByText('1 character too many')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled();
  });
});

describe('the keys of the comment box', () => {
  function fakeComments() {
    const sent: unknown[] = [];
    const post = postOf();
    server.use(
      http.get('/api/posts', () => HttpResponse.json([post])),
      http.get('/api/posts/:id', () => HttpResponse.json(post)),
      http.get('/api/posts/:id/comments', () => HttpResponse.json(post.comments)),
      http.post('/api/posts/:id/comments', async ({ request }) => {
        const body = (await request.json()) as { content: string };
        sent.push(body);
        post.comments = [commentOf(body.content)];
        post.commentCount = 1;
        return HttpResponse.json(post.comments[0], { status: 201 });
      }),
    );
    return { sent, post };
  }

  test('Ctrl+Enter posts the comment, and the focus returns to the post', async () => {
    const { sent } = fakeComments();
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Comment' }));
    await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Count me in.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Count me in.', { selector: 'p' })).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
    expect(sent).toEqual([{ userId: isabel.id, content: 'Count me in.' }]);
    expect(screen.getByRole('button', { name: 'Comment' })).toHaveFocus();
  });

  test('Escape closes the box, keeps its draft, and the focus returns to the post', async () => {
    fakeComments();
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Comment' }));
    await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Count me in.{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Comment' })).toHaveFocus();
    expect(screen.getByRole('button', { name: /Count me in\./ })).toBeVisible();
  });

  test('on the page of a post, the box keeps the focus for the next comment', async () => {
    fakeComments();
    const { user } = await renderApp(`/posts/${postOf().id}`);
    await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Count me in.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Comment' })).toHaveValue(''));
    expect(screen.getByRole('textbox', { name: 'Comment' })).toHaveFocus();
  });

  test('while a comment is sent, the box stays open and its text as it is', async () => {
    const { sent } = fakeComments();
    const answer = gate();
    server.use(http.post('/api/posts/:id/comments', () => answer.opened as Promise<undefined>));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Comment' }));
    const box = await screen.findByRole('textbox', { name: 'Comment' });
    await user.type(box, 'Count me in.{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled());
    await user.keyboard(' Twice.{Control>}{Enter}{/Control}{Escape}');
    expect(box).toHaveFocus();
    expect(box).toHaveAttribute('readonly');
    expect(box).toHaveValue('Count me in.');
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    answer.open();
    await waitFor(() => expect(box).not.toBeInTheDocument());
    expect(sent).toEqual([{ userId: isabel.id, content: 'Count me in.' }]);
  });

  test('Escape asks before it discards a change of a comment, and the focus returns to the comment', async () => {
    const { post } = fakeComments();
    post.comments = [{ ...commentOf('Both.'), user: isabel }];
    post.commentCount = 1;
    const { user } = await renderApp('/');
    const edit = async () => {
      await user.click(await screen.findByRole('button', { name: 'Options for your comment' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
      return screen.findByRole('textbox', { name: 'Comment' });
    };
    const question = () => screen.findByRole('dialog', { name: 'Discard your changes?' });
    const bubble = async () => (await screen.findByText('Both.')).closest('[tabindex="-1"]');
    await user.type(await edit(), '{Escape}');
    expect(await bubble()).toHaveFocus();
    await user.type(await edit(), ' Really.{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveValue('Both. Really.');
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(async () => expect(await bubble()).toHaveFocus());
    expect(await edit()).toHaveValue('Both.');
  });
});
