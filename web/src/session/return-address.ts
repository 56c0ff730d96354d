// Where a member returns after signing in: the history state of /auth, set by the redirect from a members' screen.

export interface ReturnAddress {
  /** The path of the screen with query and fragment. */
  returnTo: string;
  /** The member's session has ended; otherwise a visitor opened a members' screen. */
  hasEnded: boolean;
}

/** Null for any other state: history state survives a reload and an older client may have written it. */
export function returnAddressOf(state: unknown): ReturnAddress | null {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return null;
  const { returnTo } = state;
  // A path of this origin only.
  if (typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo)) return null;
  return { returnTo, hasEnded: 'hasEnded' in state && state.hasEnded === true };
}
