// The mock gateway: by default a visitor and empty lists.

import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { NotificationSettings, Problem, ProfileView, User } from '@/api/schema.gen';
import { switchable } from '@/features/notifications/kinds';

/** An error response of the gateway; a string is a body that is not JSON. */
export function problem(status: number, body: Partial<Problem> | string): HttpResponse<string> {
  if (typeof body === 'string')
    return new HttpResponse(body, { status, headers: { 'Content-Type': 'text/plain' } });
  const full = { type: 'about:blank', title: '', status, code: 'TEST', fields: {}, requestId: null, ...body };
  return new HttpResponse(JSON.stringify(full), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });
}

export const isabel: User = {
  id: '019a0000-0000-7000-8000-000000000001',
  username: 'isabel',
  fullName: 'Isabel Reyes',
  headline: '3L at Manila College of Law',
  location: 'Manila, Philippines',
  bio: null,
  avatarUrl: null,
  website: null,
  linkedin: null,
  school: 'Manila College of Law',
  graduationYear: '2027',
  createdAt: '2026-03-20T08:00:00Z',
  experiences: [],
  education: [],
  skills: [],
  jurisdictions: [],
  interests: [],
};

/** A profile without any data and stats. */
export function profileOf(user: User): ProfileView {
  const profile = { userId: user.id, bio: null, experiences: [], education: [], skills: [] };
  return { user, profile, endorsements: [], restricted: false };
}

/** The default notification settings. */
export const defaultNotificationSettings = Object.fromEntries(
  switchable.map((kind) => [kind, kind !== 'community_posted']),
) as NotificationSettings;

const lists = [
  '/api/posts',
  '/api/posts/:id/comments',
  '/api/posts/:id/likes',
  '/api/comments/:id/replies',
  '/api/comments/:id/likes',
  '/api/communities',
  '/api/communities/invitations',
  '/api/communities/:id/members',
  '/api/events',
  '/api/events/:id/attendees',
  '/api/resources',
  '/api/users/:id/suggestions',
  '/api/users/:id/namesakes',
  '/api/users/:id/connections',
  '/api/users/:id/activity',
  '/api/users/:id/endorsements',
  '/api/connections',
  '/api/blocks',
  '/api/follows',
  '/api/mutes',
  '/api/hidden-posts',
  '/api/topics/:topic/posts',
  '/api/jobs',
  '/api/jobs/applications/my',
  '/api/conversations',
  '/api/messages',
  '/api/notifications',
  '/api/saved-items',
  '/api/saved-items/ids',
  '/api/news/sources/list',
];

export const server = setupServer(
  http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
  http.get('/api/auth/sessions', () => HttpResponse.json([])),
  http.get('/api/auth/trusted-browsers', () => HttpResponse.json([])),
  http.get('/api/auth/passkeys', () => HttpResponse.json([])),
  http.post('/api/auth/check-password', () => HttpResponse.json({ minLength: 6, hashSuffixes: [] })),
  http.get('/api/auth/recovery-codes', () =>
    HttpResponse.json({ remaining: 8, madeAt: '2026-11-01T08:00:00Z' }),
  ),
  http.get('/api/auth/totp', () => HttpResponse.json({ confirmedAt: null })),
  http.post('/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
  http.get('/api/unread', () => HttpResponse.json({ messages: 0, requests: 0, notifications: 0 })),
  http.get('/api/push', () => HttpResponse.json({ publicKey: null, subscriptions: [] })),
  http.get('/api/notifications/settings', () => HttpResponse.json(defaultNotificationSettings)),
  ...lists.map((path) => http.get(path, () => HttpResponse.json([]))),
  http.get('/api/jobs/stats/overview', () =>
    HttpResponse.json({ totalJobs: 0, internships: 0, entryLevel: 0, fullTime: 0 }),
  ),
  http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))),
  http.get('/api/topics', () => HttpResponse.json({ followed: [], trending: [] })),
  http.get('/api/follows/:memberId', () => HttpResponse.json({ followed: false })),
  http.get('/api/status', () => HttpResponse.json({ jobs: [], news: [] })),
  http.get('/api/news', () => HttpResponse.json({ articles: [], pagination: { page: 1, hasMore: false } })),
);

/** The cookie that comes with a session, unless the computer is shared; null deletes it. */
export function ownDevice(memberId: string | null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the window of the tests has no Cookie Store API.
  document.cookie = `portia_own_device=${memberId ?? ''}; Path=/${memberId ? '' : '; Max-Age=0'}`;
}

/** Signs this member in: sets the response of the session query. */
export function signedInAs(user: User): void {
  ownDevice(user.id);
  server.use(http.get('/api/auth/me', () => HttpResponse.json(user)));
}
