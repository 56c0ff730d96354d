// A text of a member in another direction than the page: every place that shows it or takes it has the direction of the text.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { communityOf } from '@/testing/communities';
import { eventOf } from '@/testing/events';
import { jobOf } from '@/testing/jobs';
import { articleOf, resourceOf } from '@/testing/news';
import { notificationOf } from '@/testing/notifications';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { mockSearch, personOf } from '@/testing/search';
import { isabel, server, signedInAs } from '@/testing/server';

const name = 'נועה לוי';
const text = 'שאלה על הבחינה, 2026 (חלק א).';
const noa = { ...priya, fullName: name, headline: text };
const hebrew = /\p{Script=Hebrew}/u;

beforeEach(() => {
  signedInAs(isabel);
  server.use(
    http.get('/api/posts', () =>
      HttpResponse.json([
        postOf({
          user: noa,
          content: text,
          commentCount: 1,
          comments: [{ ...commentOf(text), user: noa }],
        }),
      ]),
    ),
    http.get('/api/users/:id/suggestions', () => HttpResponse.json([personOf({ ...noa })])),
    http.get('/api/events', () => HttpResponse.json([eventOf({ title: text })])),
    http.get('/api/communities', () =>
      HttpResponse.json([communityOf({ name, description: text, role: 'member' })]),
    ),
    http.get('/api/jobs', () =>
      HttpResponse.json([jobOf({ title: text, description: text, company: name })]),
    ),
    http.get('/api/news', () =>
      HttpResponse.json({
        articles: [articleOf(text, { description: text })],
        pagination: { page: 1, hasMore: false },
      }),
    ),
    http.get('/api/resources', () => HttpResponse.json([resourceOf(text, { description: text })])),
    http.get('/api/notifications', () => HttpResponse.json([notificationOf({ actors: [noa] })])),
  );
  mockSearch({ people: [personOf({ ...noa })] });
});

/** The visible elements with a Hebrew text of their own that has the direction of the page. */
const misdirected = () =>
  [...document.querySelectorAll('body *')]
    .filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && hebrew.test(node.textContent ?? '')),
    )
    .filter((element) => !element.closest('[dir="auto"], bdi, .sr-only, [aria-hidden="true"]'))
    .map((element) => element.outerHTML);

test.each([
  ['/', 6],
  ['/events', 1],
  ['/communities', 2],
  ['/jobs', 3],
  ['/legal-news', 2],
  ['/resources', 2],
  ['/notifications', 1],
  ['/search?q=noa', 2],
])('%s shows %i texts in their direction', async (address, least) => {
  await renderApp(address);
  const shown = () => document.querySelectorAll('[dir="auto"], bdi');
  await waitFor(() =>
    expect([...shown()].filter((one) => hebrew.test(one.textContent ?? '')).length).toBeGreaterThanOrEqual(
      least,
    ),
  );
  expect(misdirected()).toEqual([]);
});

test('the fields for free texts have the direction of what is written', async () => {
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  expect(await screen.findByRole('textbox', { name: 'Comment' })).toHaveAttribute('dir', 'auto');
  await user.click(screen.getByRole('button', { name: /^Start a post/ }));
  expect(await screen.findByRole('textbox', { name: 'Post' })).toHaveAttribute('dir', 'auto');
  await user.click(screen.getByRole('button', { name: 'Article' }));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveAttribute('dir', 'auto');
});
