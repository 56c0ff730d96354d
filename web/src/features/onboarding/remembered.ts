// The stored state of the checklist per member: the home screen shows it at its first paint or not at all.
import { readDevice, writeDevice } from '@/session/device-store';

type Checklist = 'open' | 'done';

const keyOf = (memberId: string) => `portia-checklist:${memberId}`;

/** Null if nothing is stored. */
export function rememberedChecklist(memberId: string): Checklist | null {
  const value = readDevice(keyOf(memberId));
  return value === 'open' || value === 'done' ? value : null;
}

export const rememberChecklist = (memberId: string, checklist: Checklist): void =>
  writeDevice(keyOf(memberId), checklist);
