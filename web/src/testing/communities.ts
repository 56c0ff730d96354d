// Test data: communities as the gateway serves them.
import { HttpResponse, http } from 'msw';
import type {
  CommunityBan,
  CommunityDetails,
  CommunityInvitation,
  CommunityJoinRequest,
  CommunityLogEntry,
  CommunityMember,
} from '@/api/schema.gen';
import { priya } from './posts';
import { isabel, server, signedInAs } from './server';

export function communityOf(changes: Partial<CommunityDetails> = {}): CommunityDetails {
  return {
    id: '019a0000-0000-7000-8000-0000000000d1',
    name: 'Eastbay Law Review',
    description: 'Notes, comments and the people who cut them.',
    rules: 'Cite what you claim.\nBe kind.',
    memberCount: 12,
    role: null,
    createdAt: '2026-01-05T08:00:00Z',
    visibility: 'public',
    joining: 'open',
    standing: null,
    ...changes,
  };
}

export function memberOf(changes: Partial<CommunityMember> = {}): CommunityMember {
  return { user: priya, role: 'member', joinedAt: '2026-02-01T08:00:00Z', ...changes };
}

/** Isabel is signed in with this role in the community. */
export function serveCommunity(role: CommunityDetails['role'], ...members: CommunityMember[]): void {
  signedInAs(isabel);
  server.use(
    http.get('/api/communities/:id', () => HttpResponse.json(communityOf({ role }))),
    http.get('/api/communities/:id/members', () => HttpResponse.json(members)),
  );
}

/** The lists of the tab Manage. */
export function serveManaged(bans: CommunityBan[], log: CommunityLogEntry[]): void {
  server.use(
    http.get('/api/communities/:id/bans', () => HttpResponse.json(bans)),
    http.get('/api/communities/:id/log', () => HttpResponse.json(log)),
    http.get('/api/communities/:id/invitations', () => HttpResponse.json([])),
  );
}

/** The requests to join and the invitations of the tab Manage. */
export function serveAdmission(requests: CommunityJoinRequest[], invitations: CommunityInvitation[]): void {
  server.use(
    http.get('/api/communities/:id/requests', () => HttpResponse.json(requests)),
    http.get('/api/communities/:id/invitations', () => HttpResponse.json(invitations)),
  );
}

export function logEntryOf(changes: Partial<CommunityLogEntry>): CommunityLogEntry {
  return {
    id: changes.action ?? 'entry',
    action: 'member_removed',
    actor: isabel,
    user: priya,
    role: null,
    reason: null,
    createdAt: '2026-11-20T08:00:00Z',
    ...changes,
  };
}
