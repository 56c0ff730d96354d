// Skips the data that React and Testing Library prepare for messages no test reads, a sixth of the tests' CPU time.
import { configure, getConfig } from '@testing-library/react';
import * as react from 'react';

const internals: unknown = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);

/** The number of elements per second after which React records no more stacks of their creation, for its warnings. */
const enoughStacks = 10_000;

/** The library's function, read once: test files that share their modules each call the functions below. */
const { getElementError } = getConfig();

/** Lets React record none. Without this property, which is internal, it would be as slow as before. */
export function recordNoElementStacks(): void {
  if (typeof internals !== 'object' || internals === null) return;
  if (!Object.hasOwn(internals, 'recentlyCreatedOwnerStacks')) return;
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => enoughStacks,
    set: () => undefined,
  });
}

/** Prints the document when the message of a failed query is read. A query that waits fails many times before it succeeds. */
export function printDocumentOnDemand(): void {
  configure({
    getElementError: (message, container) => {
      const error = new Error(message ?? '');
      error.name = 'TestingLibraryElementError';
      return Object.defineProperty(error, 'message', {
        configurable: true,
        get: () => getElementError(message, container).message,
      });
    },
  });
}
