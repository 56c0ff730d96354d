// Asks for a new sign-in when a write finds that the session has ended. The session layer provides the answer.

/** `renewed`: the same member has signed in. A sentence: why the write must not be repeated. */
export type Renewal = 'renewed' | 'cancelled' | { sentence: string };

type Renew = () => Promise<Renewal>;

let renew: Renew | null = null;

/** Sets the provider while a member is signed in; the returned function removes it. */
export function provideRenewal(provider: Renew): () => void {
  renew = provider;
  return () => {
    if (renew === provider) renew = null;
  };
}

/** A visitor has no session to renew: `cancelled` at once. */
export async function renewSession(): Promise<Renewal> {
  return renew ? renew() : 'cancelled';
}
