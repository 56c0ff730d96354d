// Before every test file: matchers, the mock server, and what happy-dom lacks.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { server } from './server';

// A busy machine loads a screen's code slowly; a test waits for what it expects, not for a clock.
configure({ asyncUtilTimeout: 8_000 });

// A screen's code is compiled when a test first visits it, on a machine that may be busy with other things.
configure({ asyncUtilTimeout: 15_000 });

// Radix measures and captures pointers; happy-dom draws nothing.
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
});
afterAll(() => server.close());
