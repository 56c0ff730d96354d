// The passkeys of the member. Not in queries.ts, which every screen loads.
import { query } from './query';

/** Newest first. */
export const passkeysQuery = query('/api/auth/passkeys');
