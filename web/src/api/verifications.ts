// The queries of stewards, and of members with equal names.
import { pages, query, under } from './query';

/** `queryClient.invalidateQueries(school)` after every decision. */
export const school = under('/api/school/');

export type VerificationState = 'verified' | 'unverified';

interface SchoolMemberFilter {
  search?: string;
  state?: VerificationState;
}
export const schoolMembersQuery = (filter: SchoolMemberFilter) =>
  pages('/api/school/members', { query: filter });

/** The decisions about them, newest first. */
export const verificationDecisionsQuery = pages('/api/school/decisions');

/** Other members with the name of a member. */
export const namesakesQuery = (id: string) => query('/api/users/{id}/namesakes', { path: { id } });
