// Mutations of a group: create, rename, add and remove members, leave.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationChanged, conversationGone, refetchConversations } from '@/api/conversations';
import { keyPerBody } from '@/api/idempotency';
import type { ConversationFolder } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { threadIn } from '@/message-paths';
import { useChange } from '@/session/use-change';
import { useLeave } from './mutations';

export function useCreateGroup(onCreated: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerBody);
  return useChange({
    mutationFn: (body: { title: string | null; memberIds: string[] }) =>
      read(api.POST('/api/conversations/groups', { body, headers: { 'Idempotency-Key': keyOf(body) } })),
    done: () => ({ title: t('groupCreated') }),
    failed: ({ message }) => t('createGroupFailed', { message }),
    onSuccess: ({ id }) => {
      onCreated();
      void navigate(threadIn('inbox', id));
      void refetchConversations(queryClient, id);
    },
  });
}

export function useRenameGroup(id: string, onRenamed: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: (title: string | null) =>
      read(api.PATCH('/api/conversations/{id}/group', { params: { path: { id } }, body: { title } })),
    done: () => ({ title: t('groupRenamed') }),
    failed: ({ message }) => t('renameFailed', { message }),
    onSuccess: (conversation) => {
      onRenamed();
      conversationChanged(queryClient, conversation);
      void refetchConversations(queryClient, id);
    },
  });
}

export function useAddMembers(id: string, onAdded: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: (memberIds: string[]) =>
      read(api.POST('/api/conversations/{id}/members', { params: { path: { id } }, body: { memberIds } })),
    done: () => ({ title: t('membersAdded') }),
    failed: ({ message }) => t('addFailed', { message }),
    onSuccess: (conversation) => {
      onAdded();
      conversationChanged(queryClient, conversation);
      void refetchConversations(queryClient, id);
    },
  });
}

const removal = (id: string, memberId: string) =>
  read<unknown>(
    api.DELETE('/api/conversations/{id}/members/{memberId}', { params: { path: { id, memberId } } }),
  );

export function useRemoveMember(id: string, onDone: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: (memberId: string) => removal(id, memberId),
    done: () => ({ title: t('memberRemoved') }),
    failed: ({ message }) => t('removeFailed', { message }),
    onSuccess: () => void refetchConversations(queryClient, id),
    onSettled: onDone,
  });
}

export function useLeaveGroup(id: string, me: string, folder: ConversationFolder) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const toList = useLeave(folder);
  return useChange({
    mutationFn: () => removal(id, me),
    done: () => ({ title: t('groupLeft') }),
    failed: ({ message }) => t('leaveFailed', { message }),
    onSuccess: () => {
      toList();
      conversationGone(queryClient, id);
    },
  });
}
