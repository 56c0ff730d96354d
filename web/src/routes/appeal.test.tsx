// /appeals/{id}: the removed item, the reason, the appeal, and its answer.
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Removal } from '@/api/schema.gen';
import { removalOf } from '@/testing/moderation';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const path = `/appeals/${removalOf().id}`;

function serve(removal: Removal) {
  signedInAs(isabel);
  server.use(http.get('/api/appeals/:id', () => HttpResponse.json(removal)));
}

test('the author reads the reason and appeals once', async () => {
  serve(removalOf());
  const sent: unknown[] = [];
  server.use(
    http.post('/api/appeals/:id', async ({ request }) => {
      sent.push(await request.json());
      const appealed = removalOf({ appeal: 'It was a joke.', appealedAt: '2026-11-21T08:00:00Z' });
      return HttpResponse.json(appealed, { status: 201 });
    }),
  );
  const { user } = await renderApp(path);
  expect(await screen.findByRole('heading', { level: 1, name: 'Your post was removed' })).toBeVisible();
  expect(screen.getByText('Buy my essays')).toBeVisible();
  expect(screen.getByText('Spam')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send appeal' }));
  expect(screen.getByText('Please explain why.')).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Why should it be visible again?' }), 'It was a joke.');
  await user.click(screen.getByRole('button', { name: 'Send appeal' }));
  expect(
    await screen.findByText('Another moderator will decide. You will get a notification.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send appeal' })).not.toBeInTheDocument();
  expect(sent).toEqual([{ text: 'It was a joke.' }]);
  expect(Object.keys(localStorage).filter((key) => key.includes('draft:'))).toEqual([]);
});

test('an appeal that was not sent is kept', async () => {
  serve(removalOf());
  const name = 'Why should it be visible again?';
  const { user, unmount } = await renderApp(path);
  await user.type(await screen.findByRole('textbox', { name }), 'It was a jo');
  unmount();
  await renderApp(path);
  expect(await screen.findByRole('textbox', { name })).toHaveValue('It was a jo');
  expect(screen.getByText('Draft')).toBeVisible();
});

const decided = { appeal: 'It was a joke.', appealedAt: '2026-11-21T08:00:00Z' };

test.each<[Partial<Removal>, string]>([
  [{ ...decided, appealOutcome: 'upheld', appealReason: 'spam' }, 'The removal stays.'],
  [
    { ...decided, appealOutcome: 'overturned', restored: true },
    'The removal was wrong. Your content is visible again.',
  ],
  [{ ...decided, appealOutcome: 'overturned' }, 'The removal was wrong. The content could not be restored.'],
  [{ appealUntil: '2026-01-20T08:00:00Z' }, 'The time for an appeal ended on Jan 20, 2026.'],
])('the state of the appeal is told: %#', async (changes, sentence) => {
  serve(removalOf(changes));
  await renderApp(path);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('the removal of another member is not found', async () => {
  signedInAs(isabel);
  server.use(http.get('/api/appeals/:id', () => problem(404, { error: 'There is no such removal.' })));
  await renderApp(path);
  expect(await screen.findByText('Removal not found')).toBeVisible();
});
