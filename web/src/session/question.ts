// A question that requests wait for: a dialog asks the member, and its answer goes to all of them.
import { useSyncExternalStore } from 'react';
import type { User } from '@/api/schema.gen';

interface Pending<Answer> {
  /** The member who is asked. */
  member: User;
  answer: Promise<Answer>;
  settle: (answer: Answer) => void;
}

export function createQuestion<Answer>() {
  let pending: Pending<Answer> | null = null;
  const listeners = new Set<() => void>();

  function replacePending(next: Pending<Answer> | null) {
    pending = next;
    for (const listener of listeners) listener();
  }

  /** Requests that fail together wait for one answer. */
  function ask(member: User): Promise<Answer> {
    if (pending) return pending.answer;
    let resolve: (answer: Answer) => void = () => undefined;
    const answer = new Promise<Answer>((settled) => {
      resolve = settled;
    });
    const settle = (answer: Answer) => {
      replacePending(null);
      resolve(answer);
    };
    replacePending({ member, answer, settle });
    return answer;
  }

  /** The question that waits for the member; null if none does. */
  const current = (): Pending<Answer> | null => pending;

  function useCurrent(): Pending<Answer> | null {
    return useSyncExternalStore((listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    }, current);
  }

  return { ask, current, useCurrent };
}
