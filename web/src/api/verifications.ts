// The queries of stewards, and of members with equal names.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { pagesOf } from './queries';

/** `queryClient.invalidateQueries({ queryKey: schoolKey })` after every decision. */
export const schoolKey = ['/api/school'];

export type VerificationState = 'verified' | 'unverified';

interface SchoolMemberFilter {
  search?: string;
  state?: VerificationState;
}

/** The members of the steward's school. */
export const schoolMembersQuery = (query: SchoolMemberFilter) =>
  infiniteQueryOptions({
    queryKey: [...schoolKey, 'members', query],
    ...pagesOf(() => readPage(api.GET('/api/school/members', { params: { query } }))),
  });

/** The decisions about them, newest first. */
export const verificationDecisionsQuery = infiniteQueryOptions({
  queryKey: [...schoolKey, 'decisions'],
  ...pagesOf(() => readPage(api.GET('/api/school/decisions'))),
});

/** Other members with the name of a member. */
export const namesakesQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'namesakes'],
    queryFn: () => read(api.GET('/api/users/{id}/namesakes', { params: { path: { id } } })),
  });
