// The files that this browser keeps for unsent messages, and their removal.
import { afterEach, expect, test, vi } from 'vitest';
import { ownDevice } from '@/testing/server';
import { forgetFilesOfOthers, keepFile, pruneFiles, readFile } from './file-store';

const stored = vi.hoisted(() => new Map<string, unknown>());
vi.mock('idb-keyval', () => {
  return {
    createStore: () => null,
    get: async (key: string) => stored.get(key),
    set: async (key: string, value: unknown) => void stored.set(key, value),
    del: async (key: string) => void stored.delete(key),
    keys: async () => [...stored.keys()],
  };
});

afterEach(() => {
  vi.useRealTimers();
  stored.clear();
  ownDevice(null);
});

test('files that no draft of any member names are removed after a day, also those of a member who does not return', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:00Z') });
  ownDevice('other');
  for (const id of ['named', 'left']) await keepFile('other', id, new Blob([id]));
  vi.setSystemTime(Date.parse('2026-11-22T10:00:00Z'));
  ownDevice('me');
  await keepFile('me', 'new', new Blob(['new']));
  await pruneFiles(['{"chosen":[{"id":"named"}]}']);
  expect(await readFile('other', 'named')).toBeInstanceOf(Blob);
  expect(await readFile('other', 'left')).toBeNull();
  expect(await readFile('me', 'new')).toBeInstanceOf(Blob);
});

test('on a shared computer a file is in memory only, and goes with the session', async () => {
  await keepFile('me', 'cv', new Blob(['cv']));
  expect(await readFile('me', 'cv')).toBeInstanceOf(Blob);
  expect([...stored.keys()]).toEqual([]);
  await forgetFilesOfOthers('me');
  expect(await readFile('me', 'cv')).toBeInstanceOf(Blob);
  await forgetFilesOfOthers(null);
  expect(await readFile('me', 'cv')).toBeNull();
});

test('the files of others go when a member comes', async () => {
  ownDevice('other');
  await keepFile('other', 'old', new Blob(['old']));
  ownDevice('me');
  await keepFile('me', 'new', new Blob(['new']));
  await forgetFilesOfOthers('me');
  expect([...stored.keys()]).toEqual(['me:new']);
});
