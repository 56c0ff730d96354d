// What this browser knows about offering recovery codes to a member: the home screen has the card at its first paint or not at all.

/** `open`: the member has none as far as is known. `done`: they made some, or want to hear no more of it. */
type Offer = 'open' | 'done';

const keyOf = (memberId: string) => `portia-recovery-offer:${memberId}`;

/** Null when nothing is known yet. */
export function rememberedOffer(memberId: string): Offer | null {
  try {
    const value = localStorage.getItem(keyOf(memberId));
    return value === 'open' || value === 'done' ? value : null;
  } catch {
    return null;
  }
}

export function rememberOffer(memberId: string, offer: Offer): void {
  try {
    localStorage.setItem(keyOf(memberId), offer);
  } catch {
    // Storage can be forbidden; the card is then not shown, and Settings has the codes all the same.
  }
}
