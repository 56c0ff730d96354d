// The files chosen for a message: kept with the draft, then with the unsent message, until the message is sent.
import type { AttachmentSummary, Message } from '@/api/types';
import type { DraftKind } from '@/session/drafts';

/** A file that this browser keeps (`session/file-store.ts`). */
export interface ChosenFile {
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

export const pictureTypes = ['image/png', 'image/jpeg'];
export const fileType = 'application/pdf';
/** The maximum of pictures of a message. */
export const mostPictures = 4;
const largest = { picture: 8 * 1024 * 1024, file: 5 * 1024 * 1024 };

/** Null for what no message may have. The server checks the content. */
export function kindOf({ type, size }: File): ChosenFile['kind'] | null {
  const kind = pictureTypes.includes(type) ? 'picture' : type === fileType ? 'file' : null;
  return kind && size > 0 && size <= largest[kind] ? kind : null;
}

/** The place of the draft's files. */
export const filesPlace = (conversationId: string): string => `files ${conversationId}`;

export const filesDraft: DraftKind<ChosenFile[]> = {
  empty: [],
  isEmpty: (files) => files.length === 0,
  parse: (value) =>
    Array.isArray(value) ? value.filter((one): one is ChosenFile => typeof one?.id === 'string') : null,
};

export const summaryOf = (files: readonly ChosenFile[]): AttachmentSummary | null =>
  files.length === 0
    ? null
    : {
        pictures: files.filter(({ kind }) => kind === 'picture').length,
        file: files.some(({ kind }) => kind === 'file'),
      };

/** What a message has attached; an older server sends none of the fields. */
export function attachedTo({ pictures, file }: Pick<Message, 'pictures' | 'file'>): AttachmentSummary | null {
  const count = pictures?.length ?? 0;
  return count > 0 || file ? { pictures: count, file: Boolean(file) } : null;
}

/** Whether the message has these files. Their bytes are not compared: the server encodes pictures again. */
export function isAttached(
  files: readonly ChosenFile[],
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
