// Uploads the files of an unsent message one after the other, and tells how many have arrived.
import { api, read } from '@/api/client';
import { readFile } from '@/session/file-store';
import type { DraftFile } from './draft-files';

/** This browser does not have the file any more. */
export class FileLost extends Error {}

/** File id -> the id of its upload, as long as the page lasts. After a reload the same key returns the same upload. */
const uploaded = new Map<string, string>();

interface Progress {
  done: number;
  of: number;
}

const progress = new Map<string, Progress>();
const listeners = new Set<() => void>();

export function subscribeUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The progress of the files of an unsent message; null when none are being uploaded. */
export const uploadProgress = (messageKey: string): Progress | null => progress.get(messageKey) ?? null;

function setProgress(messageKey: string, next: Progress | null): void {
  if (next) progress.set(messageKey, next);
  else progress.delete(messageKey);
  for (const listener of listeners) listener();
}

interface Attached {
  pictures?: { id: string; alt?: string }[];
  fileId?: string;
}

/** The fields of the new message. */
export async function uploadFiles(
  memberId: string,
  messageKey: string,
  files: readonly DraftFile[],
): Promise<Attached> {
  if (files.length === 0) return {};
  const ids: string[] = [];
  try {
    for (const file of files) {
      setProgress(messageKey, { done: ids.length, of: files.length });
      const known = uploaded.get(file.id);
      const id = known ?? (await upload(memberId, file));
      uploaded.set(file.id, id);
      ids.push(id);
    }
  } finally {
    setProgress(messageKey, null);
  }
  const pictures = files.flatMap(({ kind, alt }, at) => {
    const id = ids[at];
    return kind === 'picture' && id ? [{ id, ...(alt.trim() && { alt: alt.trim() }) }] : [];
  });
  return pictures.length > 0 ? { pictures } : { fileId: ids[0] };
}

/** The server has deleted the uploads, or may have: they are uploaded again. */
export function forgetUploads(files: readonly DraftFile[]): boolean {
  return files.map(({ id }) => uploaded.delete(id)).some(Boolean);
}

async function upload(memberId: string, file: DraftFile): Promise<string> {
  const blob = await readFile(memberId, file.id);
  if (!blob) throw new FileLost();
  // The OpenAPI type of bytes is a string.
  const body = blob as unknown as string;
  const bodySerializer = (raw: unknown) => raw;
  const headers = { 'Content-Type': file.type, 'Idempotency-Key': file.id };
  if (file.kind === 'picture')
    return (await read(api.POST('/api/message-pictures', { body, bodySerializer, headers }))).id;
  // A lone surrogate cannot be encoded.
  const name = encodeURIComponent(file.name.replace(/\p{Surrogate}/gu, '_'));
  const params = { header: { 'X-File-Name': name } };
  return (await read(api.POST('/api/message-files', { params, body, bodySerializer, headers }))).id;
}
