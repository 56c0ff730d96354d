// Waiting for a condition without a screen: tests of screens use `waitFor` of Testing Library.
import { vi } from 'vitest';

/** As long as Testing Library waits (setup.ts); the second of vitest is too short on a busy machine. */
const timeout = 15_000;

/** Repeats the check until it passes; then, or after the time, its result or its error. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout });
