// Mentions in the composer, in comments and while editing: completion by keyboard and pointer, and what is sent.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '@/api/schema.gen';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, server, signedInAs } from '@/testing/server';

const person = (id: string, fullName: string, connected: boolean): Person => ({
  id,
  fullName,
  username: id,
  headline: '2L',
  avatarUrl: null,
  location: null,
  school: null,
  connection: connected
    ? {
        id: 'c',
        requesterId: isabel.id,
        recipientId: id,
        status: 'accepted',
        createdAt: '2026-01-01T00:00:00Z',
      }
    : null,
});
const ana = person('019a0000-0000-7000-8000-0000000000e1', 'Ana Reyes', false);
const andres = person('019a0000-0000-7000-8000-0000000000e2', 'Andres Cruz', true);

beforeEach(() => {
  localStorage.clear();
  signedInAs(isabel);
  server.use(
    http.get('/api/search', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q')?.toLowerCase() ?? '';
      const people = [ana, andres].filter(({ fullName }) => fullName.toLowerCase().startsWith(q));
      return HttpResponse.json({ people, terms: [] });
    }),
  );
});

/** Opens the composer and answers its text field, with the bodies that were sent. */
async function compose() {
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
  return { user, sent, dialog, field: dialog.getByRole('textbox', { name: 'Post' }) };
}

test('the whole list of names scrolls into view when it opens', async () => {
  const scrolled: Element[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
    scrolled.push(this);
  });
  const { user, dialog, field } = await compose();
  await user.type(field, 'Salamat @an');
  expect(scrolled).toContain(await dialog.findByRole('listbox', { name: 'Members to mention' }));
});

test('names are completed by keyboard, connections first, and sent as ids', async () => {
  const { user, sent, dialog, field } = await compose();
  await user.type(field, 'Salamat @an');
  const list = await dialog.findByRole('listbox', { name: 'Members to mention' });
  const options = within(list).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'ACAndres Cruz2LConnection',
    'ARAna Reyes2L',
  ]);
  expect(field).toHaveAttribute('aria-controls', list.id);
  expect(field).toHaveAttribute('aria-activedescendant', options[0]?.id);
  expect(dialog.getByText('2 members found')).toBeInTheDocument();
  await user.keyboard('{ArrowDown}');
  expect(field).toHaveAttribute('aria-activedescendant', options[1]?.id);
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  expect(field).toHaveValue('Salamat @Ana Reyes ');
  expect(dialog.queryByRole('listbox')).not.toBeInTheDocument();
  await user.type(field, 'and @Andres C');
  await user.click(await dialog.findByRole('option', { name: /Andres Cruz/ }));
  await user.type(field, 'too');
  expect(field).toHaveValue('Salamat @Ana Reyes and @Andres Cruz too');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.content).toBe(`Salamat @[${ana.id}] and @[${andres.id}] too`);
});

test('Escape closes the list and not the dialog; a changed name is plain text', async () => {
  const { user, sent, dialog, field } = await compose();
  await user.type(field, '@an');
  await dialog.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(dialog.queryByRole('listbox')).not.toBeInTheDocument();
  expect(field).toBeVisible();
  await user.clear(field);
  await user.type(field, '@ana');
  // The list for the first letters has another member.
  await waitFor(() => expect(dialog.getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{Enter}{Backspace}{Backspace}');
  expect(field).toHaveValue('@Ana Reye');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['@Ana Reye']));
});

test('a draft keeps its mentions', async () => {
  const { user, dialog, field } = await compose();
  await user.type(field, '@ana');
  // The list for the first letters has another member.
  await waitFor(() => expect(dialog.getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{Enter}');
  expect(Object.values(localStorage).join()).toContain(ana.id);
});

test('a comment is sent with ids, and an edited one keeps them', async () => {
  const text = 'Ask @Ana Reyes';
  const mentions = [{ id: ana.id, name: ana.fullName, start: 4, end: 14 }];
  const own = { ...commentOf(text), user: { ...priya, id: isabel.id, fullName: isabel.fullName }, mentions };
  const post = postOf({ comments: [own], commentCount: 1 });
  const sent: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return HttpResponse.json(own);
  };
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.patch('/api/comments/:id', keep),
    http.post('/api/posts/:id/comments', keep),
  );
  const { user } = await renderApp('/');
  expect(await screen.findByRole('link', { name: '@Ana Reyes' })).toHaveAttribute(
    'href',
    `/profile/${ana.id}`,
  );
  await user.click(screen.getByRole('button', { name: 'Options for your comment' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit comment' }));
  const edited = await screen.findByRole('textbox', { name: 'Comment' });
  expect(edited).toHaveValue(text);
  await user.type(edited, ' first');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ content: `Ask @[${ana.id}] first` }]));
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  await user.type(await screen.findByRole('textbox', { name: 'Comment' }), '@and');
  await user.click(await screen.findByRole('option', { name: /Andres Cruz/ }));
  await user.click(screen.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(sent[1]).toMatchObject({ content: `@[${andres.id}]` }));
});

test('an edited post keeps its mentions', async () => {
  const content = 'With @Ana Reyes';
  const mentions = [{ id: ana.id, name: ana.fullName, start: 5, end: 15 }];
  const own = { ...priya, id: isabel.id, fullName: isabel.fullName };
  const sent: unknown[] = [];
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf({ content, mentions, user: own })])),
    http.patch('/api/posts/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(postOf());
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: /Options for/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit post' }));
  await user.type(await screen.findByRole('textbox', { name: 'Text' }), '!');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ content: `With @[${ana.id}]!` }]));
});
