// The authenticator app of the member. Not in queries.ts, which every screen loads.
import { queryOptions } from '@tanstack/react-query';
import { api, read } from './client';

/** Whether sign-ins need a code of an authenticator app. */
export const totpQuery = queryOptions({
  queryKey: ['/api/auth/totp'],
  queryFn: () => read(api.GET('/api/auth/totp')),
});
