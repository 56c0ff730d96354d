// Blocking and unblocking, with the error texts (specification, section 8). Needs the texts of `network`.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { Author, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { memberBlocked, memberUnblocked } from './block-cache';
import { useShowFailure } from './show-failure';

export function useBlock(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const showFailure = useShowFailure();
  return useMutation({
    mutationFn: ({ id }: Author) =>
      read(api.PUT('/api/blocks/{memberId}', { params: { path: { memberId: id } } })),
    onSuccess: (_, { id, fullName }) => {
      toast({ title: t('blocked'), description: t('blockedText', { name: fullName }), variant: 'success' });
      void memberBlocked(queryClient, me.id, id);
    },
    onError: (error) => showFailure('blockFailed', error),
  });
}

/** `onUnblocked` runs while the row is still mounted. */
export function useUnblock(me: User, onUnblocked: () => void) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const showFailure = useShowFailure();
  return useMutation({
    mutationFn: ({ id }: Author) =>
      read(api.DELETE('/api/blocks/{memberId}', { params: { path: { memberId: id } } })),
    onSuccess: (_, { id, fullName }) => {
      toast({
        title: t('unblocked'),
        description: t('unblockedText', { name: fullName }),
        variant: 'success',
      });
      void memberUnblocked(queryClient, me.id, id);
      onUnblocked();
    },
    onError: (error) => showFailure('unblockFailed', error),
  });
}
