// Mutations of a message: edit, delete, react.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, read } from '@/api/client';
import { messageChanged, rereadMessage } from '@/api/messages';
import type { Message, MessageReactionKind } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

const path = '/api/conversations/{id}/messages/{messageId}';
/** The time after sending in which the sender can change a message, in milliseconds; the server enforces it. */
const changeWindow = 15 * 60_000;

const paramsOf = ({ conversationId, id }: Message) => ({ path: { id: conversationId, messageId: id } });

const timeLeft = ({ createdAt }: Message) => Date.parse(createdAt) + changeWindow - Date.now();

/** The last message of the member, unless it is deleted or the time to change it is over. */
export function lastChangeable(messages: readonly Message[], me: string): Message | null {
  const last = messages.findLast(({ userId, systemLine }) => userId === me && !systemLine);
  return last && !last.deleted && timeLeft(last) > 0 ? last : null;
}

/** Whether the time to change a message is not over. */
export function useIsChangeable(message: Message): boolean {
  const { createdAt } = message;
  const left = () => timeLeft(message);
  const [isOver, setIsOver] = useState(() => left() <= 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message.
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), Math.max(0, left()));
    return () => clearTimeout(timer);
  }, [createdAt]);
  return !isOver;
}

interface Edit {
  content: string;
  /** Removes the draft of the form, which may be off the screen by then. */
  discard: () => void;
}

export function useEditMessage(message: Message) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: ({ content }: Edit) =>
      read<Message>(api.PATCH(path, { params: paramsOf(message), body: { content } })),
    failed: ({ message: reason }) => t('editFailed', { message: reason }),
    onSuccess: (edited, { discard }) => {
      messageChanged(queryClient, edited);
      discard();
    },
  });
}

export function useDeleteMessage(message: Message) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: () => read(api.DELETE(path, { params: paramsOf(message) })),
    failed: ({ message: reason }) => t('deleteMessageFailed', { message: reason }),
    onSuccess: () =>
      messageChanged(queryClient, { ...message, content: '', editedAt: null, deleted: true, reactions: [] }),
  });
}

interface Reaction {
  kind: MessageReactionKind;
  on: boolean;
}

/** Shows the reaction at once, then as the server stores it. */
export function useReact(message: Message, me: string) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    // Serial, so that the last choice wins.
    scope: { id: `reaction ${message.id}` },
    mutationFn: ({ kind, on }: Reaction) =>
      read<Message>(api.PUT(`${path}/reactions`, { params: paramsOf(message), body: { kind, on } })),
    failed: ({ message: reason }) => t('reactFailed', { message: reason }),
    onMutate: (reaction) => messageChanged(queryClient, withReaction(message, me, reaction)),
    onSuccess: (stored) => messageChanged(queryClient, stored),
    onError: () => void rereadMessage(queryClient, message.conversationId, message.id),
  });
}

function withReaction(message: Message, me: string, { kind, on }: Reaction): Message {
  const reactions = message.reactions ?? [];
  const userIds = (reactions.find((one) => one.kind === kind)?.userIds ?? []).filter((id) => id !== me);
  const changed = { kind, userIds: on ? [...userIds, me] : userIds };
  const isNew = !reactions.some((one) => one.kind === kind);
  const now = isNew ? [...reactions, changed] : reactions.map((one) => (one.kind === kind ? changed : one));
  return { ...message, reactions: now.filter((one) => one.userIds.length > 0) };
}
