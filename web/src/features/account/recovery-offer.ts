// The stored state of the recovery codes offer per member: the home screen shows the card at its first paint or not at all.
import { readDevice, writeDevice } from '@/session/device-store';

/** `open`: no codes are known. `done`: codes exist, or the member has dismissed the offer. */
type Offer = 'open' | 'done';

const keyOf = (memberId: string) => `portia-recovery-offer:${memberId}`;

/** Null if nothing is stored. */
export function rememberedOffer(memberId: string): Offer | null {
  const value = readDevice(keyOf(memberId));
  return value === 'open' || value === 'done' ? value : null;
}

export const rememberOffer = (memberId: string, offer: Offer): void => writeDevice(keyOf(memberId), offer);
