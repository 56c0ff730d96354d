// Timers of one length that run on request of a test; all other timers run as usual.
import { vi } from 'vitest';

interface HeldTimers {
  /** The number of started timers that were neither cleared nor run. */
  pending: () => number;
  /** Runs the timers as if their time had passed. */
  elapse: () => void;
}

/** Holds every timer of exactly this length in milliseconds that is started from now on, until the test ends. */
export function holdTimers(milliseconds: number): HeldTimers {
  const held = new Map<object, () => void>();
  const start = globalThis.setTimeout;
  const clear = globalThis.clearTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, wait?: number) => {
    if (wait !== milliseconds) return start(act, wait);
    const timer = {};
    held.set(timer, act);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    if (typeof timer === 'object' && held.delete(timer)) return;
    clear(timer);
  });
  return {
    pending: () => held.size,
    elapse: () => {
      const due = [...held.values()];
      held.clear();
      for (const act of due) act();
    },
  };
}
