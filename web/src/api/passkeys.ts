// The passkeys of the member. Not in queries.ts, which every screen loads.
import { queryOptions } from '@tanstack/react-query';
import { api, read } from './client';

/** Newest first. */
export const passkeysQuery = queryOptions({
  queryKey: ['/api/auth/passkeys'],
  queryFn: () => read(api.GET('/api/auth/passkeys')),
});
