// The sign-in in place that waits for the member; null if none does.
import { useSyncExternalStore } from 'react';
import type { Renewal } from '@/api/renewal';
import type { User } from '@/api/types';

interface PendingRenewal {
  /** The member whose session has ended. */
  member: User;
  outcome: Promise<Renewal>;
  settle: (outcome: Renewal) => void;
}

let pending: PendingRenewal | null = null;
const listeners = new Set<() => void>();

function replacePending(next: PendingRenewal | null) {
  pending = next;
  for (const listener of listeners) listener();
}

/** Writes that fail together wait for one sign-in. */
export function requestRenewal(member: User): Promise<Renewal> {
  if (pending) return pending.outcome;
  let resolve: (outcome: Renewal) => void = () => undefined;
  const outcome = new Promise<Renewal>((settled) => {
    resolve = settled;
  });
  const settle = (outcome: Renewal) => {
    replacePending(null);
    resolve(outcome);
  };
  replacePending({ member, outcome, settle });
  return outcome;
}

export const pendingRenewal = (): PendingRenewal | null => pending;

export function useRenewal(): PendingRenewal | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, pendingRenewal);
}
