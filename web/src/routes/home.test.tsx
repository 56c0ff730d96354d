// The signed-out home screen: texts, links, metadata, and the e-mail field that prefills the register tab.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import english from '@/locales/en/home.json';
import filipino from '@/locales/fil/home.json';
import { gate } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const title = 'Your Legal Career Starts Here';

test('a visitor sees the landing page with its claims and themes', async () => {
  await renderApp('/');
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  for (const claim of ['10,000+', '200+', '5,000+', '1,300+']) expect(screen.getByText(claim)).toBeVisible();
  for (const theme of [
    'Professional network',
    'Job opportunities',
    'Learning resources',
    'Community discussion',
    'Career growth',
    'Mentoring network',
    'Academic success',
  ])
    expect(screen.getByRole('heading', { name: theme })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Already have an account? Sign in' })).toHaveAttribute(
    'href',
    '/auth',
  );
  expect(screen.getByRole('link', { name: 'Create Your Profile' })).toHaveAttribute(
    'href',
    '/auth?register=true',
  );
});

test('shows the audience, the claims, the reasons, and the call to action', async () => {
  await renderApp('/');
  expect(
    await screen.findByText(
      'The premier professional network for law students, by law students. Connect with peers, find opportunities and advance your legal career.',
    ),
  ).toBeVisible();
  for (const [figure, claim] of [
    ['10,000+', 'Students'],
    ['200+', 'Schools'],
    ['5,000+', 'Jobs'],
    ['1,300+', 'Connections'],
  ] as const)
    expect(screen.getByText(figure).previousElementSibling).toHaveTextContent(claim);
  expect(screen.getByRole('heading', { name: 'Why choose Portia' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'For law students, by law students' })).toBeVisible();
  for (const link of screen.getAllByRole('link', { name: 'Sign In' }))
    expect(link).toHaveAttribute('href', '/auth');
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('the second sentence of an empty home is in the texts of both languages', () => {
  expect(english.emptyFeed).toBe('No posts yet. Be the first to share something!');
  expect(filipino.emptyFeed).not.toBe(english.emptyFeed);
});

test('a spinner is shown while the session resolves', async () => {
  const resolved = gate();
  server.use(
    http.get('/api/auth/me', async () => {
      await resolved.opened;
      return problem(401, { error: 'Not signed in' });
    }),
  );
  await renderApp('/');
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  expect(screen.queryByText(title)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Register' })).toBeNull();
  resolved.open();
  expect(await screen.findByText(title)).toBeVisible();
});

test.each([
  ['an error', () => problem(503, { error: 'Please try again soon' })],
  ['no answer', () => HttpResponse.error()],
])('a session check that fails with %s counts as signed out', async (_, answer) => {
  server.use(http.get('/api/auth/me', answer));
  await renderApp('/');
  expect(await screen.findByText(title)).toBeVisible();
});

test('the part of the e-mail before @ prefills the username and is part of no address', async () => {
  const { user, path } = await renderApp('/');
  await user.type(await screen.findByLabelText('Email'), 'isabel.reyes@law.example');
  await user.click(screen.getByRole('button', { name: 'Join the Network' }));
  await waitFor(() => expect(path()).toBe('/auth?register=true'));
  expect(await screen.findByLabelText('Username')).toHaveValue('isabel.reyes');
  expect(JSON.stringify({ ...localStorage })).not.toContain('isabel');
});

test('without an e-mail the register tab opens empty', async () => {
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Join the Network' }));
  expect(await screen.findByLabelText('Username')).toHaveValue('');
});

test('has title, description, keywords, canonical address and social tags', async () => {
  await renderApp('/');
  await screen.findByText(title);
  expect(document.title).toBe('Portia: the professional network for law students');
  const content = (selector: string) => document.querySelector(selector)?.getAttribute('content');
  expect(content('meta[name="description"]')).toContain('for law students, by law students');
  expect(content('meta[name="keywords"]')).toContain('law students');
  expect(content('meta[property="og:title"]')).toBe(document.title);
  expect(content('meta[name="twitter:card"]')).toBe('summary');
  expect(document.querySelector('link[rel="canonical"]')).toHaveAttribute(
    'href',
    `${window.location.origin}/`,
  );
});
