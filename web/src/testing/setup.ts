// Setup of every test file: matchers, the mock server, and APIs that happy-dom lacks.
import '@testing-library/jest-dom/vitest';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { printDocumentOnDemand, recordNoElementStacks } from './fast-errors';
import { ownDevice, server } from './server';

// A screen's code is compiled when a test first visits it, which is slow on a busy machine. Tests wait for a condition.
configure({ asyncUtilTimeout: 15_000 });
printDocumentOnDemand();
recordNoElementStacks();

// Radix measures elements and captures pointers; happy-dom has no layout.
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

// happy-dom loads no pictures: a picture that a script requests loads at once, without a size.
const originalImage = globalThis.Image;
class LoadedImage extends originalImage {
  override get src() {
    return super.src;
  }
  override set src(address: string) {
    super.src = address;
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  }
}
globalThis.Image = LoadedImage;

// happy-dom does not know the <search> element, and React warns about unknown elements.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get() {
    return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
  },
});

// Timers that a library leaves after unmounting, such as the end of scrolling in react-virtual, would fire without a window
// and fail the run.
const timers = new Set<ReturnType<typeof setTimeout>>();
const originalSetTimeout = globalThis.setTimeout;
globalThis.setTimeout = Object.assign((...call: Parameters<typeof originalSetTimeout>) => {
  const timer = originalSetTimeout(...call);
  timers.add(timer);
  return timer;
}, originalSetTimeout) as typeof setTimeout;

const elementProperties = Object.getOwnPropertyDescriptors(HTMLElement.prototype);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  ownDevice(null);
  // Otherwise the writes of the next test wait for the network.
  onlineManager.setOnline(true);
});
afterAll(async () => {
  server.close();
  // Errors are in the language of the screen, which a file without a screen does not choose.
  if (i18next.isInitialized && i18next.language !== 'en') await i18next.changeLanguage('en');
  localStorage.clear();
  timers.forEach((timer) => {
    clearTimeout(timer);
  });
  // The next file in this process gets the same window.
  globalThis.setTimeout = originalSetTimeout;
  globalThis.Image = originalImage;
  vi.unstubAllGlobals();
  for (const name of Reflect.ownKeys(HTMLElement.prototype))
    if (!Object.hasOwn(elementProperties, name)) Reflect.deleteProperty(HTMLElement.prototype, name);
  Object.defineProperties(HTMLElement.prototype, elementProperties);
  history.replaceState(null, '', '/');
});
