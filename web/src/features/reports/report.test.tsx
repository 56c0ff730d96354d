// Reporting: from every menu, with a reason, success and failure.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { jobOf } from '@/testing/jobs';
import { conversationOf, installElementHeights, messageOf, threadOf } from '@/testing/messages';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

let sent: unknown[];
beforeEach(() => {
  signedInAs(isabel);
  sent = [];
  server.use(
    http.post('/api/reports', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 202 });
    }),
  );
});

type User = Awaited<ReturnType<typeof renderApp>>['user'];

async function choose(user: User, button: HTMLElement, item: string) {
  await user.click(button);
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

async function report(user: User, title: string, reason: RegExp) {
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('radio', { name: reason }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  expect(await screen.findByText('Report sent')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
}

test('a post, with a text', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  const { user } = await renderApp('/');
  await choose(
    user,
    await screen.findByRole('button', { name: 'Options for Priya Raghavan' }),
    'Report post',
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Report post' }));
  await user.type(
    dialog.getByRole('textbox', { name: /Anything else we should know/ }),
    ' It sells essays. ',
  );
  await report(user, 'Report post', /^Spam/);
  expect(sent).toEqual([{ kind: 'post', id: postOf().id, reason: 'spam', words: 'It sells essays.' }]);
});

test('without a reason the first one is focused, below the message', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  const { user } = await renderApp('/');
  await choose(
    user,
    await screen.findByRole('button', { name: 'Options for Priya Raghavan' }),
    'Report post',
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Report post' }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  const message = dialog.getByText('Please choose a reason.');
  const first = dialog.getByRole('radio', { name: /^Spam/ });
  expect(first).toHaveFocus();
  expect(message.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(sent).toEqual([]);
});

test('a comment', async () => {
  const comment = { ...commentOf('Fool.'), id: 'c1' };
  server.use(
    http.get('/api/posts', () =>
      HttpResponse.json([postOf({ user: isabel, commentCount: 1, comments: [comment] })]),
    ),
  );
  const { user } = await renderApp('/');
  await choose(
    user,
    await screen.findByRole('button', { name: 'Options for the comment by Priya Raghavan' }),
    'Report comment',
  );
  await report(user, 'Report comment', /^Harassment/);
  expect(sent).toEqual([{ kind: 'comment', id: 'c1', reason: 'harassment' }]);
});

test('a member, from the profile', async () => {
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf({ ...isabel, ...priya }))));
  const { user } = await renderApp(`/profile/${priya.id}`);
  await choose(
    user,
    await screen.findByRole('button', { name: 'Options for Priya Raghavan' }),
    'Report Priya Raghavan',
  );
  await report(user, 'Report member', /^False information/);
  expect(sent).toEqual([{ kind: 'member', id: priya.id, reason: 'false-information' }]);
});

test('a message of the other member; the menu of an own one has no report', async () => {
  installElementHeights();
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
    http.get('/api/conversations/:id', () =>
      HttpResponse.json(threadOf([messageOf(1), messageOf(2, { userId: isabel.id })])),
    ),
    http.post('/api/conversations/:id/read', () => new HttpResponse(null, { status: 204 })),
  );
  const { user } = await renderApp(`/messages/${conversationOf().id}`);
  const [others, own] = await screen.findAllByRole('button', { name: 'Options for this message' });
  if (!others || !own) throw new Error('a menu is missing');
  await user.click(own);
  expect(within(await screen.findByRole('menu')).queryByText('Report message')).not.toBeInTheDocument();
  await user.keyboard('{Escape}');
  await choose(user, others, 'Report message');
  await report(user, 'Report message', /^Illegal/);
  expect(sent).toEqual([{ kind: 'message', id: 'm1', reason: 'illegal' }]);
});

test('a posting, by members', async () => {
  server.use(http.get('/api/jobs/:id', () => HttpResponse.json(jobOf())));
  const { user } = await renderApp(`/jobs/${jobOf().id}`);
  await user.click(await screen.findByRole('button', { name: 'Report job' }));
  await report(user, 'Report job', /^Something else/);
  expect(sent).toEqual([{ kind: 'job', id: jobOf().id, reason: 'other' }]);
});

test('a reason is required; a failure shows the reason and keeps the form', async () => {
  server.use(
    http.get('/api/jobs/:id', () => HttpResponse.json(jobOf())),
    http.post('/api/reports', () => problem(429, { error: 'Too many reports' })),
  );
  const { user } = await renderApp(`/jobs/${jobOf().id}`);
  await user.click(await screen.findByRole('button', { name: 'Report job' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Report job' }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  expect(await dialog.findByText('Please choose a reason.')).toBeVisible();
  await user.click(dialog.getByRole('radio', { name: /^Spam/ }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  expect(await screen.findByText('Failed to report: 429: Too many reports')).toBeVisible();
  expect(dialog.getByRole('radio', { name: /^Spam/ })).toBeChecked();
});

test('a visitor cannot report', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/jobs/:id', () => HttpResponse.json(jobOf())),
  );
  await renderApp(`/jobs/${jobOf().id}`);
  await screen.findByRole('button', { name: 'Apply Now' });
  expect(screen.queryByRole('button', { name: 'Report job' })).not.toBeInTheDocument();
});
