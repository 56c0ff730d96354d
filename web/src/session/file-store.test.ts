// The files that this browser keeps for unsent messages, and their removal.
import { afterEach, expect, test, vi } from 'vitest';
import { keepFile, pruneFiles, readFile } from './file-store';

vi.mock('idb-keyval', () => {
  const stored = new Map<string, unknown>();
  return {
    createStore: () => null,
    get: async (key: string) => stored.get(key),
    set: async (key: string, value: unknown) => void stored.set(key, value),
    del: async (key: string) => void stored.delete(key),
    keys: async () => [...stored.keys()],
  };
});

afterEach(() => vi.useRealTimers());

test('files that no draft of any member names are removed after a day, also those of a member who does not return', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:00Z') });
  for (const id of ['named', 'left']) await keepFile('other', id, new Blob([id]));
  vi.setSystemTime(Date.parse('2026-11-22T10:00:00Z'));
  await keepFile('me', 'new', new Blob(['new']));
  await pruneFiles(['{"chosen":[{"id":"named"}]}']);
  expect(await readFile('other', 'named')).toBeInstanceOf(Blob);
  expect(await readFile('other', 'left')).toBeNull();
  expect(await readFile('me', 'new')).toBeInstanceOf(Blob);
});
