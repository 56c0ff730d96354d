// Test data: conversations and messages as the gateway serves them; and fake element heights for virtual lists.
import type { Conversation, ConversationThread, Message } from '@/api/schema.gen';
import { priya } from './posts';
import { isabel } from './server';

export const conversationId = '019a0000-0000-7000-8000-0000000000f1';

export function conversationOf(changes: Partial<Conversation> = {}): Conversation {
  return {
    id: conversationId,
    otherUser: priya,
    group: null,
    lastSystemLine: null,
    lastSender: null,
    lastMessage: 'See you in the library.',
    lastAttachments: null,
    lastMessageAt: '2025-01-12T12:00:00Z',
    unreadCount: 0,
    folder: 'inbox',
    waiting: false,
    filesRefused: false,
    lastMessageDeleted: false,
    muted: false,
    ...changes,
  };
}

export function threadOf(messages: Message[], changes: Partial<Conversation> = {}): ConversationThread {
  return { ...conversationOf(changes), messages };
}

/** The nth message of a conversation, a minute after the previous one, by Priya by default. */
export function messageOf(nth: number, changes: Partial<Message> = {}): Message {
  return {
    id: `m${nth}`,
    userId: priya.id,
    sender: null,
    systemLine: null,
    readCount: 0,
    conversationId,
    content: `Message ${nth}`,
    pictures: [],
    file: null,
    createdAt: new Date(Date.parse('2026-11-20T09:00:00Z') + nth * 60_000).toISOString(),
    isRead: true,
    editedAt: null,
    deleted: false,
    reactions: [],
    replyTo: null,
    ...changes,
  };
}

export const mine = (nth: number, changes: Partial<Message> = {}) =>
  messageOf(nth, { userId: isabel.id, isRead: false, ...changes });

const rowHeight = 60;
const paneHeight = 600;

/** happy-dom has no layout: every row of a thread has the same height, and ten rows are visible. */
export function installElementHeights(): void {
  const heightOf = (element: HTMLElement) => (element.hasAttribute('data-index') ? rowHeight : paneHeight);
  const heights = {
    offsetHeight: heightOf,
    clientHeight: heightOf,
    offsetWidth: () => 800,
    scrollHeight: (element: HTMLElement) =>
      Math.max(
        paneHeight,
        Number.parseInt(element.querySelector<HTMLElement>('.relative')?.style.height ?? '', 10) || 0,
      ),
  };
  for (const [name, of] of Object.entries(heights))
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return of(this);
      },
    });
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, to?: ScrollToOptions | number) {
    if (typeof to !== 'object') return;
    this.scrollTop = Math.max(0, Math.min(to.top ?? 0, this.scrollHeight - this.clientHeight));
    queueMicrotask(() => this.dispatchEvent(new Event('scroll')));
  };
}
