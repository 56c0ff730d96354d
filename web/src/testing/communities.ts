// Test data: communities as the gateway serves them.
import type { CommunityDetails, CommunityMember } from '@/api/types';
import { priya } from './posts';

export function communityOf(changes: Partial<CommunityDetails> = {}): CommunityDetails {
  return {
    id: '019a0000-0000-7000-8000-0000000000d1',
    name: 'Eastbay Law Review',
    description: 'Notes, comments and the people who cut them.',
    rules: 'Cite what you claim.\nBe kind.',
    memberCount: 12,
    role: null,
    createdAt: '2026-01-05T08:00:00Z',
    ...changes,
  };
}

export function memberOf(changes: Partial<CommunityMember> = {}): CommunityMember {
  return { user: priya, role: 'member', joinedAt: '2026-02-01T08:00:00Z', ...changes };
}
