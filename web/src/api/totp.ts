// The authenticator app of the member. Not in queries.ts, which every screen loads.
import { query } from './query';

/** Whether sign-ins need a code of an authenticator app. */
export const totpQuery = query('/api/auth/totp');
