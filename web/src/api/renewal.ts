// Asks for a new sign-in when a request finds that the session has ended. The session layer provides the answer.

/** `renewed`: the same member has signed in. A sentence: why the request must not be repeated. */
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

/** Null for a visitor, who has no session to renew. */
export async function renewSession(): Promise<Renewal | null> {
  return renew ? renew() : null;
}
