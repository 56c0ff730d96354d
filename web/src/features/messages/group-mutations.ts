// Mutations of a group: create, rename, add and remove members, leave.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationChanged, conversationGone, refetchConversations } from '@/api/conversations';
import { keyPerBody } from '@/api/idempotency';
import type { ConversationFolder } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { threadIn } from './addresses';
import { useLeave } from './mutations';

type Failure = 'createGroupFailed' | 'renameFailed' | 'addFailed' | 'removeFailed' | 'leaveFailed';

function useFailure() {
  const { t } = useTranslation(['messages', 'shell']);
  return (key: Failure) =>
    ({ message }: Error) =>
      toast({ title: t('shell:error'), description: t(key, { message }), variant: 'destructive' });
}

export function useCreateGroup(onCreated: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const failed = useFailure();
  const [keyOf] = useState(keyPerBody);
  return useMutation({
    mutationFn: (body: { title: string | null; memberIds: string[] }) =>
      read(api.POST('/api/conversations/groups', { body, headers: { 'Idempotency-Key': keyOf(body) } })),
    onSuccess: ({ id }) => {
      onCreated();
      toast({ title: t('groupCreated'), variant: 'success' });
      void navigate(threadIn('inbox', id));
      void refetchConversations(queryClient, id);
    },
    onError: failed('createGroupFailed'),
  });
}

export function useRenameGroup(id: string, onRenamed: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const failed = useFailure();
  return useMutation({
    mutationFn: (title: string | null) =>
      read(api.PATCH('/api/conversations/{id}/group', { params: { path: { id } }, body: { title } })),
    onSuccess: (conversation) => {
      onRenamed();
      conversationChanged(queryClient, conversation);
      toast({ title: t('groupRenamed'), variant: 'success' });
      void refetchConversations(queryClient, id);
    },
    onError: failed('renameFailed'),
  });
}

export function useAddMembers(id: string, onAdded: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const failed = useFailure();
  return useMutation({
    mutationFn: (memberIds: string[]) =>
      read(api.POST('/api/conversations/{id}/members', { params: { path: { id } }, body: { memberIds } })),
    onSuccess: (conversation) => {
      onAdded();
      conversationChanged(queryClient, conversation);
      toast({ title: t('membersAdded'), variant: 'success' });
      void refetchConversations(queryClient, id);
    },
    onError: failed('addFailed'),
  });
}

const removal = (id: string, memberId: string) =>
  read<unknown>(
    api.DELETE('/api/conversations/{id}/members/{memberId}', { params: { path: { id, memberId } } }),
  );

export function useRemoveMember(id: string, onDone: () => void) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const failed = useFailure();
  return useMutation({
    mutationFn: (memberId: string) => removal(id, memberId),
    onSuccess: () => {
      toast({ title: t('memberRemoved'), variant: 'success' });
      void refetchConversations(queryClient, id);
    },
    onError: failed('removeFailed'),
    onSettled: onDone,
  });
}

export function useLeaveGroup(id: string, me: string, folder: ConversationFolder) {
  const { t } = useTranslation('messages');
  const queryClient = useQueryClient();
  const toList = useLeave(folder);
  const failed = useFailure();
  return useMutation({
    mutationFn: () => removal(id, me),
    onSuccess: () => {
      toast({ title: t('groupLeft'), variant: 'success' });
      toList();
      conversationGone(queryClient, id);
    },
    onError: failed('leaveFailed'),
  });
}
