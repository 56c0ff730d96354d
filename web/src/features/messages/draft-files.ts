// The files chosen for a message: kept with the draft, then with the unsent message, until the message is sent.
import type { AttachmentSummary, Message } from '@/api/schema.gen';
import type { DraftKind } from '@/session/drafts';
import { isPicture } from '@/ui/picture-types';

/** A file that this browser keeps (`session/file-store.ts`). */
export interface DraftFile {
  /** Its name in the store, and the idempotency key of its upload. */
  id: string;
  kind: 'picture' | 'file';
  name: string;
  /** In bytes. */
  size: number;
  /** The media type. */
  type: string;
  /** The description of a picture. */
  alt: string;
}

export const fileType = 'application/pdf';
export const mostPictures = 4;
const largestFile = 5 * 1024 * 1024;

/** Null for what no message may have. A picture of any size is scaled; the server checks the content. */
export function kindOf(file: File): DraftFile['kind'] | null {
  if (file.size === 0) return null;
  if (isPicture(file)) return 'picture';
  return file.type === fileType && file.size <= largestFile ? 'file' : null;
}

/** The place of the draft's files. */
export const filesPlace = (conversationId: string): string => `files ${conversationId}`;

export const filesDraft: DraftKind<DraftFile[]> = {
  empty: [],
  isEmpty: (files) => files.length === 0,
  parse: (value) =>
    Array.isArray(value) ? value.filter((one): one is DraftFile => typeof one?.id === 'string') : null,
};

export const summaryOf = (files: readonly DraftFile[]): AttachmentSummary | null =>
  files.length === 0
    ? null
    : {
        pictures: files.filter(({ kind }) => kind === 'picture').length,
        file: files.some(({ kind }) => kind === 'file'),
      };

/** Summarizes the attachments of a message; an older server sends none of the fields. */
export function attachedTo({ pictures, file }: Pick<Message, 'pictures' | 'file'>): AttachmentSummary | null {
  const count = pictures?.length ?? 0;
  return count > 0 || file ? { pictures: count, file: Boolean(file) } : null;
}

/** Whether the message has these files. Their bytes are not compared: the server encodes pictures again. */
export function isAttached(
  files: readonly DraftFile[],
  message: Pick<Message, 'pictures' | 'file'>,
): boolean {
  const pictures = files.filter(({ kind }) => kind === 'picture');
  const shown = message.pictures ?? [];
  return (
    pictures.length === shown.length &&
    pictures.every(({ alt }, at) => alt.trim().normalize() === shown[at]?.alt) &&
    files.length - pictures.length === (message.file ? 1 : 0)
  );
}
