// Law school resources: the server's, the three built-in ones, kinds, pages, and links.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { resourceOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const builtIn = ['Casebriefs', 'BARBRI Bar Review', 'Themis Bar Review'];

/** The titles on the screen in order. */
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

async function cardOf(title: string) {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  return within(heading.closest('article') as HTMLElement);
}

const all = [
  resourceOf('How to brief a case'),
  resourceOf('The hearsay map', { type: 'study-material', url: 'https://example.org/hearsay' }),
  resourceOf('A podcast', { type: 'podcast' }),
];
/** The requested kinds in order; null for all. */
let asked: (string | null)[];

beforeEach(() => {
  asked = [];
  server.use(
    http.get('/api/resources', ({ request }) => {
      const type = new URL(request.url).searchParams.get('type');
      asked.push(type);
      return HttpResponse.json(all.filter((resource) => !type || resource.type === type));
    }),
  );
});

test('the built-in ones follow the server’s, open to a visitor', async () => {
  await renderApp('/resources');
  expect(await screen.findByRole('heading', { level: 1, name: 'Law School Resources' })).toBeVisible();
  expect(document.title).toBe('Law School Resources | Portia');
  await screen.findByText('A podcast');
  expect(titles()).toEqual(['How to brief a case', 'The hearsay map', 'A podcast', ...builtIn]);
});

test('the built-in ones are shown when the server has none', async () => {
  server.use(http.get('/api/resources', () => HttpResponse.json([])));
  await renderApp('/resources');
  await screen.findByText('Casebriefs');
  expect(titles()).toEqual(builtIn);
  for (const link of screen.getAllByRole('link', { name: 'Visit Resource' }))
    expect(link.getAttribute('href')).toMatch(/^https:\/\//);
});

test('a resource with an address opens in a new tab, one without is internal', async () => {
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

test('an invalid web address is not linked', async () => {
  server.use(
    http.get('/api/resources', () => HttpResponse.json([resourceOf('Trap', { url: 'javascript:alert(1)' })])),
  );
  await renderApp('/resources');
  expect((await cardOf('Trap')).getByText('Internal resource')).toBeVisible();
});

test.each([
  ['Guides', 'guide', ['How to brief a case']],
  ['Study Materials', 'study-material', ['The hearsay map']],
])('%s shows only the server’s of that kind and is part of the address', async (name, type, shown) => {
  const { user, path } = await renderApp('/resources');
  await screen.findByText('A podcast');
  await user.click(screen.getByRole('tab', { name }));
  await waitFor(() => expect(titles()).toEqual(shown));
  expect(path()).toBe(`/resources?type=${type}`);
  expect(asked).toEqual([null, type]);
  await user.click(screen.getByRole('tab', { name: 'All Resources' }));
  expect(path()).toBe('/resources');
  expect(titles()).toHaveLength(all.length + builtIn.length);
});

test.each([
  ['Articles', 'article'],
  ['Guides', 'guide'],
  ['Study Materials', 'study-material'],
  ['Case Briefs', 'case-brief'],
])('an address opens %s', async (name, type) => {
  await renderApp(`/resources?type=${type}`);
  expect(await screen.findByRole('tab', { name, selected: true })).toBeVisible();
  await waitFor(() => expect(asked).toEqual([type]));
});

test('an unknown kind in the address is ignored', async () => {
  await renderApp('/resources?type=podcast');
  expect(await screen.findByRole('tab', { name: 'All Resources', selected: true })).toBeVisible();
  await waitFor(() => expect(asked).toEqual([null]));
});

test('a resource of an unknown kind is shown as an article', async () => {
  await renderApp('/resources');
  expect((await cardOf('A podcast')).getByText('Article')).toBeVisible();
  expect((await cardOf('The hearsay map')).getByText('Study material')).toBeVisible();
});

test('they load page by page, and the built-in ones stay last', async () => {
  server.use(
    http.get('/api/resources', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([resourceOf('Second')])
        : HttpResponse.json([resourceOf('First')], {
            headers: { Link: '</api/resources?cursor=2>; rel="next"' },
          }),
    ),
  );
  const { user } = await renderApp('/resources');
  const more = await screen.findByRole('button', { name: 'Show more resources' });
  expect(titles()).toEqual(['First', ...builtIn]);
  await user.click(more);
  await waitFor(() => expect(titles()).toEqual(['First', 'Second', ...builtIn]));
  expect(screen.queryByRole('button', { name: 'Show more resources' })).not.toBeInTheDocument();
});

test('an empty kind', async () => {
  server.use(http.get('/api/resources', () => HttpResponse.json([])));
  await renderApp('/resources?type=guide');
  expect(await screen.findByText('No resources here yet.')).toBeVisible();
});

test('a failed list', async () => {
  server.use(http.get('/api/resources', () => problem(503, { error: 'Please try again soon' })));
  await renderApp('/resources');
  expect(await screen.findByText('Error loading resources. Please try again later.')).toBeVisible();
});

test('only members can suggest one', async () => {
  const { unmount } = await renderApp('/resources');
  await screen.findByText('A podcast');
  expect(screen.queryByRole('button', { name: 'Suggest a resource' })).not.toBeInTheDocument();
  unmount();
  signedInAs(isabel);
  await renderApp('/resources');
  expect(await screen.findByRole('button', { name: 'Suggest a resource' })).toBeVisible();
});

test('is translated to Filipino', async () => {
  await renderApp('/resources', { language: 'fil' });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Mga Sanggunian sa Law School' }),
  ).toBeVisible();
  expect(await screen.findAllByText('Panloob na sanggunian')).toHaveLength(2);
  expect(screen.getByRole('tab', { name: 'Mga Materyal sa Pag-aaral' })).toBeVisible();
});
