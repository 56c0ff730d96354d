// /resources/{id}: the server's resources, the three built-in ones, and unknown addresses.
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Resource } from '@/api/schema.gen';
import { resourceOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

/** The requested ids. */
let asked: string[];
const serve = (resource: Resource) =>
  server.use(
    http.get('/api/resources/:id', ({ params }) => {
      asked.push(String(params.id));
      return HttpResponse.json(resource);
    }),
  );

beforeEach(() => {
  asked = [];
});

test('a resource on the web', async () => {
  serve(resourceOf('The hearsay map', { description: 'Every exception.', url: 'https://example.org/map' }));
  await renderApp('/resources/r1');
  expect(await screen.findByRole('heading', { level: 1, name: 'The hearsay map' })).toBeVisible();
  expect(asked).toEqual(['r1']);
  expect(document.title).toBe('The hearsay map | Portia');
  expect(document.querySelector('meta[name="description"]')).toHaveAttribute('content', 'Every exception.');
  expect(screen.getByText('Guide')).toBeVisible();
  const visit = screen.getByRole('link', { name: 'Visit Resource' });
  expect(visit).toHaveAttribute('href', 'https://example.org/map');
  expect(visit).toHaveAttribute('target', '_blank');
  expect(visit).toHaveAttribute('rel', 'noopener nofollow');
  expect(screen.getByRole('link', { name: 'All Resources' })).toHaveAttribute('href', '/resources');
});

test('an internal resource keeps its line breaks', async () => {
  serve(resourceOf('How to brief a case', { description: 'Facts.\nIssue.\nRule.' }));
  await renderApp('/resources/r2');
  expect(await screen.findByText('Internal resource')).toBeVisible();
  expect(screen.getByText(/^Facts\./)).toHaveClass('whitespace-pre-line');
  expect(screen.queryByRole('link', { name: 'Visit Resource' })).not.toBeInTheDocument();
});

test('an invalid web address is not linked', async () => {
  serve(resourceOf('Trap', { url: 'javascript:alert(1)' }));
  await renderApp('/resources/r3');
  expect(await screen.findByText('Internal resource')).toBeVisible();
});

test.each([
  ['casebriefs', 'Casebriefs', 'https://www.casebriefs.com/'],
  ['barbri', 'BARBRI Bar Review', 'https://www.barbri.com/'],
  ['themis', 'Themis Bar Review', 'https://www.themisbar.com/'],
])('%s is shown without the server', async (id, title, url) => {
  server.use(http.get('/api/resources/:id', () => problem(503, { error: 'Away' })));
  await renderApp(`/resources/${id}`);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Visit Resource' })).toHaveAttribute('href', url);
  expect(document.title).toBe(`${title} | Portia`);
});

test('home links to it', async () => {
  signedInAs(isabel);
  const { user, path } = await renderApp('/');
  await user.click(await screen.findByRole('link', { name: 'Casebriefs' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Casebriefs' })).toBeVisible();
  expect(path()).toBe('/resources/casebriefs');
  expect(asked).toEqual([]);
});

test('an unknown resource, and a resource that fails to load', async () => {
  server.use(http.get('/api/resources/:id', () => problem(404, { error: 'Resource not found' })));
  const { unmount } = await renderApp('/resources/nothing');
  expect(await screen.findByText('Resource not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All Resources' })).toHaveAttribute('href', '/resources');
  unmount();

  serve(resourceOf('The hearsay map'));
  server.use(http.get('/api/resources/:id', () => problem(503, { error: 'Away' }), { once: true }));
  const { user } = await renderApp('/resources/r1');
  expect(await screen.findByText('This resource could not be loaded. Please try again later.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'The hearsay map' })).toBeVisible();
});

test('is translated to Filipino', async () => {
  await renderApp('/resources/barbri', { language: 'fil' });
  expect(await screen.findByRole('link', { name: 'Bisitahin ang Sanggunian' })).toBeVisible();
  expect(screen.getByText('Materyal sa pag-aaral')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Lahat ng Sanggunian' })).toBeVisible();
});
