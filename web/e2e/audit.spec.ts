// Audits every screen as visitor and member, in the variants of audit.ts. Screens with content, their dialogs and their menus are
// audited where a test makes them:
//
// | screens | audited in |
// |---|---|
// | home: of a new member, with the composer and posts of every kind; with connections; with new posts | composer, network, live |
// | profile: full, its tabs and dialogs; of another member, with the block | profile, network |
// | a post: its menus and dialogs; conversation; several pictures; why and mute | sharing, conversation, rich-posts, feed-control |
// | network: connections, requests, suggestions | network |
// | messages: list, requests, threads; changes; attachments; groups | messages, message-changes, message-attachments, groups |
// | notifications: the list, the popover, the switches in the settings | notifications |
// | settings: passkeys, second factor, recovery codes, deletion, blocked members, feed | passkeys, second-factor, account, network, feed-control |
// | jobs: the list, postings, applications | jobs |
// | news: the list, an article | news |
// | resources: the suggestion | resources |
// | communities and events: lists, one of each, dialogs, unknown ones; invitations and requests; Manage | communities, community-admission, community-moderation |
// | search: each kind, without results | search |
// | saved items of every kind | sharing |
// | the steps and the end of the welcome | onboarding |
// | sign-up with a proof of work, the second step of a reset | proof-of-work, account |
// | moderation and appeals; the members of a school | moderation, verification |
// | palette and shortcuts | keyboard |
import { expect, type Page } from '@playwright/test';
import { auditAddress } from './audit';
import { newMember } from './member';
import { test } from './test';

const visitorPaths = [
  '/',
  '/auth',
  '/auth?register=true',
  '/forgot-password',
  '/jobs',
  '/jobs/019a0000-0000-7000-8000-0000000000ff',
  '/legal-news/019a0000-0000-7000-8000-0000000000ff',
  '/resources',
  '/resources?type=case-brief',
  '/resources/casebriefs',
  '/resources/019a0000-0000-7000-8000-0000000000ff',
  '/status',
  '/search',
  '/about',
  '/privacy',
  '/terms',
  '/cookies',
  '/copyright',
  '/brand',
  '/communities',
  '/events',
  '/topics',
  '/topics/moot',
  '/test',
  '/no/such/page',
];
const memberPaths = [
  '/network',
  '/messages',
  '/notifications',
  '/jobs?tab=applications',
  '/resources',
  '/search',
  '/saved-items',
  '/profile/:me',
  '/welcome',
  '/settings/privacy',
  '/settings/feed',
];

/** The heading of the first level names the screen. */
const titled = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeAttached();

// The tests of a caller share a page: a document that follows another one of Portia costs half of one in a new page.
test.describe('without an account', () => {
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage();
  });
  test.afterAll(() => page.close());

  for (const path of visitorPaths)
    test(`a visitor at ${path}`, async () => {
      await auditAddress(page, path, titled);
    });
});

test.describe('with a new account', () => {
  let page: Page;
  let id: string;
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage();
    ({ id } = await newMember(page.context(), 'Lucía Fernández-Villanueva de la Cruz'));
  });
  test.afterAll(() => page.close());

  for (const path of memberPaths)
    test(`a member at ${path}`, async () => {
      await auditAddress(page, path.replace(':me', id), titled);
    });
});
