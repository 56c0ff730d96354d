// Blocking and unblocking, with the error texts (specification, section 8). Needs the texts of `network`.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { Author, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { memberBlocked, memberUnblocked } from './block-cache';
import { refetchOutdated, useReasonOf } from './failure';

export function useBlock(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationFn: ({ id }: Author) =>
      read(api.PUT('/api/blocks/{memberId}', { params: { path: { memberId: id } } })),
    done: (_, { fullName }) => ({ title: t('blocked'), description: t('blockedText', { name: fullName }) }),
    failed: (error) => t('blockFailed', { message: reasonOf(error) }),
    onSuccess: (_, { id }) => void memberBlocked(queryClient, me.id, id),
    onError: (error) => refetchOutdated(queryClient, error),
  });
}

/** `onUnblocked` runs while the row is still mounted. */
export function useUnblock(me: User, onUnblocked: () => void) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationFn: ({ id }: Author) =>
      read(api.DELETE('/api/blocks/{memberId}', { params: { path: { memberId: id } } })),
    done: (_, { fullName }) => ({
      title: t('unblocked'),
      description: t('unblockedText', { name: fullName }),
    }),
    failed: (error) => t('unblockFailed', { message: reasonOf(error) }),
    onSuccess: (_, { id }) => {
      void memberUnblocked(queryClient, me.id, id);
      onUnblocked();
    },
    onError: (error) => refetchOutdated(queryClient, error),
  });
}
