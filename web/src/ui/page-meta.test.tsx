// The meta tags of each screen: title, description, keywords, canonical address and social tags.
import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, profileOf, server, signedInAs } from '@/testing/server';

const content = (selector: string) => document.querySelector(`meta[${selector}]`)?.getAttribute('content');

test.each([
  [
    '/auth',
    'Sign in or register | Portia',
    'Sign in to Portia or create your profile and join law students and legal professionals.',
  ],
  [
    '/network',
    'Network | Portia',
    'Your connections, requests and people you may know in the legal profession.',
  ],
  [
    '/jobs',
    'Legal Jobs & Internships | Portia',
    'Internships, clerkships and first positions for law students and new lawyers.',
  ],
  [
    '/legal-news',
    'Legal News | Portia',
    'Legal news from several sources in one place, updated every 12 hours.',
  ],
  [
    '/resources',
    'Law School Resources | Portia',
    'Articles, guides, study materials and case briefs for law school and the bar.',
  ],
  [
    `/profile/${isabel.id}`,
    'Isabel Reyes | Portia',
    'Isabel Reyes on Portia, the professional network for law students and legal professionals.',
  ],
])('%s', async (address, title, description) => {
  // A signed-in member is redirected from /auth.
  if (address !== '/auth') signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
  await renderApp(address);
  await waitFor(() => expect(document.title).toBe(title));
  expect(content('name="description"')).toBe(description);
  expect(content('name="keywords"')).toMatch(/\w/);
  expect(document.querySelector('link[rel="canonical"]')).toHaveAttribute(
    'href',
    `${window.location.origin}${address}`,
  );
  expect(content('property="og:title"')).toBe(title);
  expect(content('property="og:description"')).toBe(description);
  expect(content('property="og:url"')).toBe(`${window.location.origin}${address}`);
  expect(content('property="og:type"')).toBe(address.startsWith('/profile/') ? 'profile' : 'website');
  expect(content('name="twitter:title"')).toBe(title);
});

test('the link preview tags of the gateway are removed', async () => {
  signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
  document.head.insertAdjacentHTML(
    'beforeend',
    `<title data-preview>Isabel | Portia</title>
    <link data-preview rel="canonical" href="https://portia.example/profile/1">
    <meta data-preview name="description" content="Written by the gateway">
    <meta data-preview property="og:image" content="https://portia.example/media/1.jpg">`,
  );
  await renderApp(`/profile/${isabel.id}`);
  await waitFor(() => expect(document.title).toBe('Isabel Reyes | Portia'));
  for (const one of [
    'title',
    'link[rel="canonical"]',
    'meta[name="description"]',
    'meta[property="og:title"]',
  ]) {
    expect(document.head.querySelectorAll(one)).toHaveLength(1);
  }
  expect(document.head.querySelector('[data-preview]')).toBeNull();
});
