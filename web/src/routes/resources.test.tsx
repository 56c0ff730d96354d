// Law school resources: the server's, the three built-in ones after them, the kinds, and where each leads.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Resource } from '@/api/types';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const builtIn = ['Casebriefs', 'BARBRI Bar Review', 'Themis Bar Review'];

function resourceOf(title: string, changes: Partial<Resource> = {}): Resource {
  return { id: title, title, description: null, url: null, type: 'guide', ...changes };
}

/** The titles on the screen, in order. */
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

async function cardOf(title: string) {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  return within(heading.closest('article') as HTMLElement);
}

beforeEach(() =>
  server.use(
    http.get('/api/resources', () =>
      HttpResponse.json([
        resourceOf('How to brief a case'),
        resourceOf('The hearsay map', { type: 'study-material', url: 'https://example.org/hearsay' }),
        resourceOf('A podcast', { type: 'podcast' }),
      ]),
    ),
  ),
);

test('the built-in ones follow the server’s, open to a visitor', async () => {
  await renderApp('/resources');
  expect(await screen.findByRole('heading', { level: 1, name: 'Law School Resources' })).toBeVisible();
  expect(document.title).toBe('Law School Resources | Portia');
  await screen.findByText('A podcast');
  expect(titles()).toEqual(['How to brief a case', 'The hearsay map', 'A podcast', ...builtIn]);
});

test('they are there when the server has none', async () => {
  server.use(http.get('/api/resources', () => HttpResponse.json([])));
  await renderApp('/resources');
  await screen.findByText('Casebriefs');
  expect(titles()).toEqual(builtIn);
  for (const link of screen.getAllByRole('link', { name: 'Visit Resource' }))
    expect(link.getAttribute('href')).toMatch(/^https:\/\//);
});

test('with an address it opens in a new tab, without one it is internal', async () => {
  await renderApp('/resources');
  const visit = (await cardOf('The hearsay map')).getByRole('link', { name: 'Visit Resource' });
  expect(visit).toHaveAttribute('href', 'https://example.org/hearsay');
  expect(visit).toHaveAttribute('target', '_blank');
  expect(visit).toHaveAttribute('rel', 'noopener nofollow');
  const internal = await cardOf('How to brief a case');
  expect(internal.getByText('Internal resource')).toBeVisible();
  expect(internal.queryByRole('link', { name: 'Visit Resource' })).not.toBeInTheDocument();
  expect(internal.getByRole('link', { name: 'How to brief a case' })).toHaveAttribute(
    'href',
    '/resources/How%20to%20brief%20a%20case',
  );
});

test('an address that is no web address becomes no link', async () => {
  server.use(
    http.get('/api/resources', () => HttpResponse.json([resourceOf('Trap', { url: 'javascript:alert(1)' })])),
  );
  await renderApp('/resources');
  expect((await cardOf('Trap')).getByText('Internal resource')).toBeVisible();
});

test.each([
  ['Articles', 'article', ['A podcast']],
  ['Guides', 'guide', ['How to brief a case']],
  ['Study Materials', 'study-material', ['The hearsay map', ...builtIn.slice(1)]],
  ['Case Briefs', 'case-brief', builtIn.slice(0, 1)],
])('%s shows its kind, an unknown one as article, and stands in the address', async (name, type, shown) => {
  const { user, path } = await renderApp('/resources');
  await screen.findByText('A podcast');
  await user.click(screen.getByRole('tab', { name }));
  expect(titles()).toEqual(shown);
  expect(path()).toBe(`/resources?type=${type}`);
  await user.click(screen.getByRole('tab', { name: 'All Resources' }));
  expect(path()).toBe('/resources');
});

test('a kind without any', async () => {
  server.use(http.get('/api/resources', () => HttpResponse.json([])));
  await renderApp('/resources?type=guide');
  expect(await screen.findByText('No resources here yet.')).toBeVisible();
});

test('the list failed', async () => {
  server.use(http.get('/api/resources', () => problem(503, { error: 'Please try again soon' })));
  await renderApp('/resources');
  expect(await screen.findByText('Error loading resources. Please try again later.')).toBeVisible();
});

test('in Filipino', async () => {
  await renderApp('/resources', { language: 'fil' });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Mga Sanggunian sa Law School' }),
  ).toBeVisible();
  expect(await screen.findAllByText('Panloob na sanggunian')).toHaveLength(2);
  expect(screen.getByRole('tab', { name: 'Mga Materyal sa Pag-aaral' })).toBeVisible();
});
