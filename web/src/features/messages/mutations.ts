// Mutations of a whole conversation: accept a request, mute, clear the conversation, and leave the thread for the list.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationChanged, conversationGone, refetchConversations } from '@/api/conversations';
import { unreadQuery } from '@/api/queries';
import type { Conversation, ConversationFolder } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { listIn, threadIn } from '@/message-paths';
import { useChange } from '@/session/use-change';

export function useLeave(folder: ConversationFolder): () => void {
  const navigate = useNavigate();
  return () => void navigate(listIn(folder));
}

export function useAccept(id: string) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useChange({
    mutationFn: () => read(api.POST('/api/conversations/{id}/accept', { params: { path: { id } } })),
    failed: ({ message }) => t('acceptFailed', { message }),
    onSuccess: (conversation) => {
      conversationChanged(queryClient, conversation);
      void navigate(threadIn('inbox', id), { replace: true });
      void refetchConversations(queryClient, id);
    },
  });
}

export function useMute(conversation: Conversation) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const params = { path: { id: conversation.id } };
  return useChange({
    mutationFn: (muted: boolean) =>
      read<unknown>(
        muted
          ? api.PUT('/api/conversations/{id}/mute', { params })
          : api.DELETE('/api/conversations/{id}/mute', { params }),
      ),
    done: (_, muted) => ({ title: t(muted ? 'isMuted' : 'isUnmuted') }),
    failed: ({ message }) => t('muteFailed', { message }),
    onSuccess: (_, muted) => {
      conversationChanged(queryClient, { ...conversation, muted });
      void queryClient.invalidateQueries(unreadQuery);
    },
  });
}

export function useClear(id: string, folder: ConversationFolder) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const leave = useLeave(folder);
  return useChange({
    mutationFn: () => read(api.DELETE('/api/conversations/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('deleted') }),
    failed: ({ message }) => t('deleteFailed', { message }),
    onSuccess: () => {
      leave();
      conversationGone(queryClient, id);
    },
  });
}
