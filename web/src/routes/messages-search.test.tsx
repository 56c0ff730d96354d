// The search in messages: below the conversations that match by name; a result opens its message at its place.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { conversationId, installElementHeights, messageOf, threadOf } from '@/testing/messages';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

installElementHeights();
let asked: (string | null)[];

beforeEach(() => {
  signedInAs(isabel);
  asked = [];
  const found = { ...messageOf(1, { content: 'The moot court is on Friday' }), otherUser: priya };
  server.use(
    http.get('/api/messages', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('search'));
      return HttpResponse.json([found]);
    }),
    http.get('/api/conversations/:id', ({ request }) => {
      const isAround = new URL(request.url).searchParams.has('around');
      return HttpResponse.json(threadOf(isAround ? [found, messageOf(2)] : [messageOf(30)]));
    }),
    http.post('/api/conversations/:id/read', () => new HttpResponse(null, { status: 204 })),
  );
});

const searchBox = () => screen.findByRole('searchbox', { name: 'Search messages' });

test('results come while typing, with the words marked, and open the message', async () => {
  const { user, path } = await renderApp('/messages');
  await user.type(await searchBox(), ' moot court');
  const section = within(await screen.findByRole('region', { name: 'Messages' }));
  expect(asked.at(-1)).toBe('moot court');
  expect(asked.length).toBeLessThan(4);
  const result = section.getByRole('link', { name: /Priya Raghavan/ });
  expect(within(result).getByText('moot')).toContainHTML('<mark');
  expect(screen.getByText('No conversation with that name.')).toBeVisible();
  await user.click(result);
  expect(path()).toBe(`/messages/${conversationId}?message=m1`);
  await waitFor(() => {
    const target = document.querySelector('[data-target]');
    expect(target).toHaveTextContent('The moot court is on Friday');
  });
});

test('a file is found by its name', async () => {
  const file = { name: 'Court brief.pdf', size: 9, url: '/api/messages/m1/file' };
  const found = { ...messageOf(1, { content: '', file }), otherUser: priya };
  server.use(http.get('/api/messages', () => HttpResponse.json([found])));
  const { user } = await renderApp('/messages');
  await user.type(await searchBox(), 'court');
  const result = await screen.findByRole('link', { name: /Priya Raghavan.*Court brief\.pdf/ });
  expect(within(result).getByText('Court')).toContainHTML('<mark');
});

test('without a search nothing is asked, and a failed one leaves the conversations', async () => {
  server.use(http.get('/api/messages', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/messages');
  await user.type(await searchBox(), '  ');
  await user.type(await searchBox(), 'x');
  expect(await screen.findByText('No conversation with that name.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Messages' })).not.toBeInTheDocument();
});
