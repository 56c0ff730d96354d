// Previews of links: below a post, in the composer with their removal, and switched off in this browser.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { LinkPreview } from '@/api/schema.gen';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, server, signedInAs } from '@/testing/server';
import { switchLinkCards } from './link-cards';

const href = 'https://www.lawphil.example/case';
const preview: LinkPreview = {
  url: href,
  host: 'lawphil.example',
  title: 'The case',
  description: 'About the case',
  site: 'Lawphil',
  image: { url: '/media/case.jpg', width: 640, height: 320 },
};

beforeEach(() => {
  localStorage.clear();
  signedInAs(isabel);
});

test('a post shows the card of its link, and the switch of this browser removes it', async () => {
  const post = postOf({ content: `Read ${href}`, linkPreview: preview });
  server.use(http.get('/api/posts', () => HttpResponse.json([post])));
  await renderApp('/');
  const card = await screen.findByRole('link', { name: 'lawphil.example The case About the case' });
  expect(card).toHaveAttribute('href', href);
  expect(card).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  const picture = card.querySelector('img');
  expect(picture).toHaveAttribute('src', '/media/case.jpg');
  expect(picture).toHaveAttribute('width', '640');
  switchLinkCards(false);
  await waitFor(() => expect(card).not.toBeInTheDocument());
  switchLinkCards(true);
  expect(await screen.findByText('The case')).toBeInTheDocument();
});

test('an address that is no web address is no card', async () => {
  const post = postOf({ linkPreview: { ...preview, url: 'javascript:alert(1)' } });
  server.use(http.get('/api/posts', () => HttpResponse.json([post])));
  await renderApp('/');
  expect(await screen.findByText(post.content)).toBeInTheDocument();
  expect(screen.queryByText('The case')).not.toBeInTheDocument();
});

/** Writes a text with a link, after the server has answered `pending` once. */
async function compose(text: string) {
  const sent: { content: string; withoutLinkPreview?: boolean }[] = [];
  const asked: string[] = [];
  server.use(
    http.post('/api/link-previews', async ({ request }) => {
      asked.push(((await request.json()) as { url: string }).url);
      return HttpResponse.json(
        asked.length > 1 ? { state: 'ready', preview } : { state: 'pending', preview: null },
      );
    }),
    http.post('/api/posts', async ({ request }) => {
      sent.push((await request.json()) as { content: string });
      return HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Start a post...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  await user.click(dialog.getByRole('textbox', { name: 'Post' }));
  await user.paste(text);
  return { user, dialog, sent, asked };
}

test('the author sees the card before publishing', async () => {
  const { user, dialog, sent, asked } = await compose(`Read ${href}.`);
  expect(await dialog.findByRole('status')).toHaveTextContent('Loading the link preview');
  expect(await dialog.findByText('The case', {}, { timeout: 5_000 })).toBeInTheDocument();
  expect(new Set(asked)).toEqual(new Set([href]));
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent).toEqual([{ userId: isabel.id, content: `Read ${href}.` }]));
});

test('the author removes the card: the post has none', async () => {
  const { user, dialog, sent } = await compose(href);
  await user.click(
    await dialog.findByRole('button', { name: 'Remove the link preview' }, { timeout: 5_000 }),
  );
  expect(dialog.queryByText('The case')).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent).toEqual([{ userId: isabel.id, content: href, withoutLinkPreview: true }]));
});

test('a link within Portia is not asked for', async () => {
  const { dialog, asked } = await compose(`${window.location.origin}/jobs`);
  expect(dialog.getByRole('textbox', { name: 'Post' })).toHaveValue(`${window.location.origin}/jobs`);
  expect(asked).toEqual([]);
});
