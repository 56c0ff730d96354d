// Posts with a picture, a video or an article: writing and rendering.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { gate } from '@/testing/jobs';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));

async function compose(kind: string) {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const app = await renderApp('/');
  const card = within(await screen.findByRole('region', { name: 'Create a post' }));
  await app.user.click(card.getByRole('button', { name: kind }));
  return { ...app, sent, dialog: within(await screen.findByRole('dialog')) };
}

describe('a picture', () => {
  const file = new File([new Uint8Array([0x89, 0x50])], 'hall.png', { type: 'image/png' });

  test('is uploaded unchanged when selected; the post waits for it and has its alt text', async () => {
    const arrived = gate();
    const uploads: [string | null, boolean][] = [];
    server.use(
      http.post('/api/pictures', async ({ request }) => {
        uploads.push([request.headers.get('Content-Type'), request.headers.has('Idempotency-Key')]);
        await arrived.opened;
        return HttpResponse.json(
          { id: 'pic', url: '/media/pic.jpg', width: 800, height: 400 },
          { status: 201 },
        );
      }),
    );
    const { user, dialog, sent } = await compose('Photo');
    await user.upload(dialog.getByLabelText('Choose a picture', { selector: 'input' }), file);
    await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
    await user.type(dialog.getByRole('textbox', { name: 'What does the picture show?' }), 'The hall');
    expect(dialog.getByText('Uploading...')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Post' })).toBeDisabled();
    arrived.open();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Post' })).toBeEnabled());
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Post created')).toBeVisible();
    expect(uploads).toEqual([['image/png', true]]);
    expect(sent).toEqual([
      { userId: isabel.id, content: 'We won.', pictureId: 'pic', pictureAlt: 'The hall' },
    ]);
  });

  test('shows the reason when the server refuses it, and the post is sent without it', async () => {
    server.use(http.post('/api/pictures', () => problem(400, { error: 'This is no picture' })));
    const { user, dialog, sent } = await compose('Photo');
    await user.upload(dialog.getByLabelText('Choose a picture', { selector: 'input' }), file);
    expect(await screen.findByText('Failed to upload picture: 400: This is no picture')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Post created')).toBeVisible();
    expect(sent).toEqual([{ userId: isabel.id, content: 'We won.' }]);
  });

  test('of another type is not uploaded', async () => {
    const { dialog } = await compose('Photo');
    const gif = new File(['GIF89a'], 'a.gif', { type: 'image/gif' });
    fireEvent.change(dialog.getByLabelText('Choose a picture', { selector: 'input' }), {
      target: { files: [gif] },
    });
    expect(await screen.findByText('Please choose a PNG or JPEG picture.')).toBeVisible();
  });

  test('in a post reserves its space and has its alt text', async () => {
    const image = { url: '/media/a.jpg', alt: 'A full hall', width: 800, height: 400 };
    serve(postOf({ image, imageUrl: image.url }));
    await renderApp('/');
    const shown = await screen.findByRole('img', { name: 'A full hall' });
    expect(shown).toHaveAttribute('src', '/media/a.jpg');
    expect(shown).toHaveAttribute('width', '800');
    expect(shown).toHaveAttribute('height', '400');
  });
});

describe('a video', () => {
  test('needs a complete address', async () => {
    const { user, dialog, sent } = await compose('Video');
    await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Watch this.');
    const field = dialog.getByRole('textbox', { name: 'Link to a video' });
    await user.type(field, 'javascript:alert(1)');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Please enter the full link to a page with a video.')).toBeVisible();
    expect(sent).toEqual([]);
    await user.clear(field);
    await user.type(field, 'https://video.example/watch?v=1');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Post created')).toBeVisible();
    expect(sent).toEqual([
      { userId: isabel.id, content: 'Watch this.', videoUrl: 'https://video.example/watch?v=1' },
    ]);
  });

  test('is not sent after removal', async () => {
    const { user, dialog, sent } = await compose('Video');
    await user.type(dialog.getByRole('textbox', { name: 'Link to a video' }), 'https://a.example/');
    await user.click(dialog.getByRole('button', { name: 'Remove the video' }));
    await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'Words.');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    await screen.findByText('Post created');
    expect(sent).toEqual([{ userId: isabel.id, content: 'Words.' }]);
  });

  test('in a post is a card with an outside link', async () => {
    serve(
      postOf({ videoUrl: 'https://www.video.example/watch?v=1' }),
      postOf({ id: 'p2', videoUrl: 'javascript:alert(1)' }),
    );
    await renderApp('/');
    const link = await screen.findByRole('link', { name: /Watch on video\.example/ });
    expect(link).toHaveAttribute('href', 'https://www.video.example/watch?v=1');
    expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
    expect(screen.getAllByText(/Watch on/)).toHaveLength(1);
  });
});

describe('an article', () => {
  test('needs a title and is sent with it', async () => {
    const { user, dialog, sent } = await compose('Article');
    expect(screen.getByRole('dialog', { name: 'Write an article' })).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Article' }), '# Why');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Please give your article a title.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Title' }), 'On notes');
    await user.click(dialog.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Post created')).toBeVisible();
    expect(sent).toEqual([{ userId: isabel.id, content: '# Why', title: 'On notes' }]);
  });

  test('in a list shows its title and beginning with a link to the page', async () => {
    serve(postOf({ title: 'On notes', content: 'How a note begins' }));
    await renderApp('/');
    expect(await screen.findByRole('link', { name: 'On notes' })).toHaveAttribute(
      'href',
      `/posts/${postOf().id}`,
    );
    expect(screen.getByText('How a note begins')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Read article: On notes' })).toBeVisible();
  });

  test('on its page is complete, and its title is the page title', async () => {
    const content = '## Begin\n\nWith a **question**.';
    server.use(http.get('/api/posts/:id', () => HttpResponse.json(postOf({ title: 'On notes', content }))));
    await renderApp('/posts/p1');
    expect(await screen.findByRole('heading', { level: 1, name: 'On notes' })).toBeVisible();
    expect(await screen.findByRole('heading', { level: 2, name: 'Begin' })).toBeVisible();
    expect(screen.getByText('question').tagName).toBe('STRONG');
    expect(document.title).toBe('On notes | Portia');
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  });
});

test('Event opens the event form, also from the dialog', async () => {
  const { user, dialog } = await compose('Video');
  await user.click(dialog.getByRole('button', { name: 'Event' }));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toBeVisible();
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
});
