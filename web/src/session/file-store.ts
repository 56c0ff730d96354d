// Files of a member that this browser keeps until they are sent: in IndexedDB, or in memory where storage is forbidden or full, and
// on a shared computer.
import { createStore, del, get, keys, set } from 'idb-keyval';
import { deviceOwner } from '@/api/device-owner';

interface KeptFile {
  /** The time of keeping, in milliseconds since 1970. */
  at: number;
  file: Blob;
}

/** Files that are being stored, or could or must not be: these last as long as the page. */
const memory = new Map<string, Blob>();

/** Every key names its member, so that another member of this browser never gets the file. */
const keyOf = (memberId: string, id: string): string => `${memberId}:${id}`;

let opened: ReturnType<typeof createStore> | null = null;
function store() {
  opened ??= createStore('portia-files', 'files');
  return opened;
}

export async function keepFile(memberId: string, id: string, file: Blob): Promise<void> {
  const key = keyOf(memberId, id);
  memory.set(key, file);
  if (deviceOwner() !== memberId) return;
  try {
    await set(key, { at: Date.now(), file } satisfies KeptFile, store());
    memory.delete(key);
    // The session ended meanwhile.
    if (deviceOwner() !== memberId) await del(key, store());
  } catch {
    // It stays in memory.
  }
}

/** Null when this browser does not have the file any more. */
export async function readFile(memberId: string, id: string): Promise<Blob | null> {
  const key = keyOf(memberId, id);
  const inMemory = memory.get(key);
  if (inMemory) return inMemory;
  return (await attempt(() => get<KeptFile>(key, store())))?.file ?? null;
}

export async function dropFiles(memberId: string, ids: readonly string[]): Promise<void> {
  await drop(ids.map((id) => keyOf(memberId, id)));
}

/** Removes the files of all other members, and on a shared computer also this member's stored files. */
export async function forgetFilesOfOthers(memberId: string | null): Promise<void> {
  const isOwn = (key: string) => memberId !== null && key.startsWith(keyOf(memberId, ''));
  const isShared = memberId !== deviceOwner();
  const all = await allKeys();
  await drop(all.filter((key) => !isOwn(key) || (isShared && !memory.has(key))));
}

/** Files without a draft or an unsent message may belong to one that is being written in another tab. */
const longestUnnamed = 24 * 60 * 60 * 1_000;

/**
 * Removes old files that `texts`, the drafts and the unsent messages of all members, do not name, such as the files of
 * a draft that was removed by its age, even if its member never returns to this browser.
 */
export async function pruneFiles(texts: readonly string[]): Promise<void> {
  const unnamed = (await allKeys()).filter((key) => {
    const id = key.slice(key.indexOf(':') + 1);
    return !texts.some((text) => text.includes(id));
  });
  for (const key of unnamed) {
    const kept = await attempt(() => get<KeptFile>(key, store()));
    if (kept && Date.now() - kept.at > longestUnnamed) await drop([key]);
  }
}

async function allKeys(): Promise<string[]> {
  const stored = (await attempt(() => keys<string>(store()))) ?? [];
  return [...new Set([...memory.keys(), ...stored])];
}

async function drop(all: readonly string[]): Promise<void> {
  for (const key of all) memory.delete(key);
  await Promise.all(all.map((key) => attempt(() => del(key, store()))));
}

/** Undefined where storage is forbidden. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
