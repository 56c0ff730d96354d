// Mutations of a whole conversation: accept a request, mute, clear the conversation, and leave the thread for the list.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationChanged, conversationGone, refetchConversations } from '@/api/conversations';
import { unreadQuery } from '@/api/queries';
import type { Conversation, ConversationFolder } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { listIn, threadIn } from './addresses';

export function useLeave(folder: ConversationFolder): () => void {
  const navigate = useNavigate();
  return () => void navigate(listIn(folder));
}

export function useAccept(id: string) {
  const { t } = useTranslation(['messages', 'shell']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => read(api.POST('/api/conversations/{id}/accept', { params: { path: { id } } })),
    onSuccess: (conversation) => {
      conversationChanged(queryClient, conversation);
      void navigate(threadIn('inbox', id), { replace: true });
      void refetchConversations(queryClient, id);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('acceptFailed', { message }),
        variant: 'destructive',
      }),
  });
}

export function useMute(conversation: Conversation) {
  const { t } = useTranslation(['messages', 'shell']);
  const queryClient = useQueryClient();
  const params = { path: { id: conversation.id } };
  return useMutation({
    mutationFn: (muted: boolean) =>
      read<unknown>(
        muted
          ? api.PUT('/api/conversations/{id}/mute', { params })
          : api.DELETE('/api/conversations/{id}/mute', { params }),
      ),
    onSuccess: (_, muted) => {
      conversationChanged(queryClient, { ...conversation, muted });
      void queryClient.invalidateQueries(unreadQuery);
      toast({ title: t(muted ? 'isMuted' : 'isUnmuted'), variant: 'success' });
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('muteFailed', { message }),
        variant: 'destructive',
      }),
  });
}

export function useClear(id: string, folder: ConversationFolder) {
  const { t } = useTranslation(['messages', 'shell']);
  const queryClient = useQueryClient();
  const leave = useLeave(folder);
  return useMutation({
    mutationFn: () => read(api.DELETE('/api/conversations/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ title: t('deleted'), variant: 'success' });
      leave();
      conversationGone(queryClient, id);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('deleteFailed', { message }),
        variant: 'destructive',
      }),
  });
}
