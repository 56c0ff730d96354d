// Composes the notification for a push. A push contains ids only: this browser's session reads the text, and a plain
// sentence replaces it when that fails. All effects are parameters, for the tests.
import type { TFunction } from 'i18next';
import type { Conversation, Notification as Notice, OtherUser } from '@/api/schema.gen';
import { groupName } from '@/features/messages/group-name';
import { kindOf } from '@/features/notifications/kinds';
import { edge, sentence } from '@/features/notifications/sentence-text';
import { paths } from '@/paths';
import { type Language, translator } from './texts';

export type Push =
  | { kind: 'message' | 'request'; conversationId: string; language: Language }
  | { kind: 'notification'; notificationId: string; language: Language };

/** Reads a resource of the API as JSON. */
export type Read = (path: string) => Promise<unknown>;

export interface Shown {
  title: string;
  body: string;
  /** The notification that it replaces. */
  tag: string;
  /** The page that it opens. */
  path: string;
  language: Language;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/.test(value);

/** Null for what is no push of this version. */
export function parsePush(text: string | undefined): Push | null {
  let raw: Record<string, unknown>;
  try {
    raw = JSON.parse(text ?? '');
  } catch {
    return null;
  }
  const language = raw?.language === 'fil' ? 'fil' : 'en';
  const { kind, conversationId, notificationId } = raw ?? {};
  if ((kind === 'message' || kind === 'request') && isId(conversationId))
    return { kind, conversationId, language };
  if (kind === 'notification' && isId(notificationId)) return { kind, notificationId, language };
  return null;
}

/** Composes the notification for a push; a plain sentence if its text cannot be read. */
export async function compose(push: Push | null, read: Read): Promise<Shown> {
  const plain = plainly(push);
  // The text of a stranger is not shown before the request is accepted.
  if (!push || push.kind === 'request') return plain;
  try {
    return { ...plain, ...('conversationId' in push ? await message(push, read) : await notice(push, read)) };
  } catch {
    return plain;
  }
}

function plainly(push: Push | null): Shown {
  const language = push?.language ?? 'en';
  const t = translator(language, 'push');
  const shown = { title: 'Portia', language };
  if (!push) return { ...shown, body: t('newNotification'), tag: 'portia', path: paths.notifications };
  if (push.kind === 'notification')
    return { ...shown, body: t('newNotification'), tag: push.notificationId, path: paths.notifications };
  return {
    ...shown,
    body: t(push.kind === 'request' ? 'newRequest' : 'newMessage'),
    tag: push.conversationId,
    path: paths.thread(push.conversationId),
  };
}

/** The list names the other member and has the newest message; reading the conversation itself would mark it as read. */
async function message(push: Extract<Push, { conversationId: string }>, read: Read): Promise<Partial<Shown>> {
  const listed = (await read('/api/conversations?limit=20')) as Conversation[];
  const found = listed.find(({ id }) => id === push.conversationId);
  const t = translator(push.language, 'push');
  const body = found && (found.lastMessage || attachmentText(t, found.lastAttachments));
  if (!body) return {};
  const { otherUser, group, lastSender } = found;
  const nameOf = (member: OtherUser | null | undefined) => (member?.id ? member.fullName : t('formerMember'));
  if (!group) return { title: nameOf(otherUser), body };
  return {
    title: groupName(group, push.language) ?? 'Portia',
    body: `${nameOf(lastSender)}: ${body}`,
  };
}

/** Describes the attachments of a message without a text. */
function attachmentText(
  t: ReturnType<typeof translator>,
  attached: Conversation['lastAttachments'] | undefined,
): string | null {
  if (!attached) return null;
  if (attached.file) return t('sentFile');
  return attached.pictures === 1 ? t('sentPicture') : t('sentPictures', { number: attached.pictures });
}

async function notice(push: Extract<Push, { notificationId: string }>, read: Read): Promise<Partial<Shown>> {
  const listed = (await read('/api/notifications?limit=20')) as Notice[];
  const found = listed.find(({ id }) => id === push.notificationId);
  if (!found) return {};
  const t = translator(push.language, 'notifications') as unknown as TFunction<'notifications'>;
  return {
    body: sentence(t, push.language, found).replaceAll(edge, ''),
    path: kindOf(found)?.path(found, null) ?? paths.notifications,
  };
}

/** A window of this origin. */
export interface Page {
  visibilityState: DocumentVisibilityState;
  focused: boolean;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

/** Browsers end a subscription that shows nothing. While a page is visible, the notification makes no sound. */
export function optionsOf({ body, tag, path, language }: Shown, pages: readonly Page[]) {
  const quiet = pages.some(({ visibilityState }) => visibilityState === 'visible');
  return {
    body,
    tag,
    lang: language,
    icon: '/brand/app-192.png',
    data: { path },
    silent: quiet,
    // A later message of a conversation alerts again.
    renotify: !quiet,
  };
}

/** Opens the page of a pressed notification: in an open window, which asks about unsaved input itself, or in a new one. */
export async function open(
  data: unknown,
  pages: readonly Page[],
  openWindow: (path: string) => Promise<unknown>,
): Promise<void> {
  const named = (data as { path?: unknown } | null)?.path;
  const path = typeof named === 'string' ? named : paths.notifications;
  const page = pages.find(({ focused }) => focused) ?? pages[0];
  if (!page) {
    await openWindow(path);
    return;
  }
  await page.focus();
  page.postMessage({ open: path });
}
