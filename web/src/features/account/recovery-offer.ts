// The stored state of the recovery codes offer per member: the home screen shows the card at its first paint or not at all.

/** `open`: no codes are known. `done`: codes exist, or the member has dismissed the offer. */
type Offer = 'open' | 'done';

const keyOf = (memberId: string) => `portia-recovery-offer:${memberId}`;

/** Null if nothing is stored. */
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
    // Storage can be forbidden; the card is then not shown. Settings offers the codes anyway.
  }
}
