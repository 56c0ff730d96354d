// The mutations between two members, with their error texts (specification, section 8).
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { Author, Connection, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { connectionEnded, requestAnswered, requestSent, suggestionIgnored } from './connection-cache';
import { refetchOutdated, useReasonOf } from './failure';

export function useConnect(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationFn: (person: Author) =>
      read(
        api.POST('/api/connections', {
          body: { requesterId: me.id, recipientId: person.id, status: 'pending' },
        }),
      ),
    done: () => ({ title: t('requestSent'), description: t('requestSentText') }),
    failed: (error) => t('requestFailed', { message: reasonOf(error) }),
    onSuccess: (connection) => {
      return requestSent(queryClient, me.id, connection);
    },
    onError: (error) => refetchOutdated(queryClient, error),
  });
}

const answering = ['answer a request'];

export function useAnswer(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationKey: answering,
    mutationFn: ({ id, status }: { id: string; status: 'accepted' | 'rejected' }) =>
      read(api.PATCH('/api/connections/{id}', { params: { path: { id } }, body: { status } })),
    failed: (error, { status }) =>
      t(status === 'accepted' ? 'acceptFailed' : 'rejectFailed', { message: reasonOf(error) }),
    onSuccess: (connection) => requestAnswered(queryClient, me.id, connection),
    onError: (error) => refetchOutdated(queryClient, error),
  });
}

/** The ids of requests with a running answer: hidden from the list, and shown again on failure. */
export function usePendingAnswers(): string[] {
  return useMutationState({
    filters: { mutationKey: answering, status: 'pending' },
    select: ({ state }) => (state.variables as { id: string }).id,
  });
}

/** Withdraws the member's pending request, or removes a connection. */
export function useDisconnect(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationFn: ({ id }: Connection) =>
      read(api.DELETE('/api/connections/{id}', { params: { path: { id } } })),
    done: (_, { status }) => ({ title: t(status === 'accepted' ? 'removed' : 'withdrawn') }),
    failed: (error, { status }) =>
      t(status === 'accepted' ? 'removeFailed' : 'withdrawFailed', { message: reasonOf(error) }),
    onSuccess: (_, connection) => void connectionEnded(queryClient, me.id, connection),
    onError: (error) => refetchOutdated(queryClient, error),
  });
}

const ignoring = ['ignore a suggestion'];

export function useIgnore(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return useChange({
    mutationKey: ignoring,
    mutationFn: ({ id }: Author) =>
      read(
        api.DELETE('/api/users/{id}/suggestions/{memberId}', {
          params: { path: { id: me.id, memberId: id } },
        }),
      ),
    failed: (error) => t('ignoreFailed', { message: reasonOf(error) }),
    onSuccess: (_, { id }) => suggestionIgnored(queryClient, me.id, id),
    onError: (error) => refetchOutdated(queryClient, error),
  });
}

/** The suggestions without those being ignored; a failed one returns. */
export function useWithoutIgnored<Person extends Author>(people: Person[] | undefined): Person[] | undefined {
  const ignored = useMutationState({
    filters: { mutationKey: ignoring, status: 'pending' },
    select: ({ state }) => (state.variables as Author).id,
  });
  return people?.filter(({ id }) => !ignored.includes(id));
}
