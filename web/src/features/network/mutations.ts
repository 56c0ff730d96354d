// The mutations between two members, with their error texts (specification, section 8).
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { Author, Connection, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { connectionEnded, requestAnswered, requestSent, suggestionIgnored } from './connection-cache';
import { useShowFailure } from './show-failure';

export function useConnect(me: User) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const showFailure = useShowFailure();
  return useMutation({
    mutationFn: (person: Author) =>
      read(
        api.POST('/api/connections', {
          body: { requesterId: me.id, recipientId: person.id, status: 'pending' },
        }),
      ),
    onSuccess: (connection) => {
      toast({ title: t('requestSent'), description: t('requestSentText'), variant: 'success' });
      return requestSent(queryClient, me.id, connection);
    },
    onError: (error) => showFailure('requestFailed', error),
  });
}

const answering = ['answer a request'];

export function useAnswer(me: User) {
  const queryClient = useQueryClient();
  const showFailure = useShowFailure();
  return useMutation({
    mutationKey: answering,
    mutationFn: ({ id, status }: { id: string; status: 'accepted' | 'rejected' }) =>
      read(api.PATCH('/api/connections/{id}', { params: { path: { id } }, body: { status } })),
    onSuccess: (connection) => requestAnswered(queryClient, me.id, connection),
    onError: (error, { status }) =>
      showFailure(status === 'accepted' ? 'acceptFailed' : 'rejectFailed', error),
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
  const showFailure = useShowFailure();
  return useMutation({
    mutationFn: ({ id }: Connection) =>
      read(api.DELETE('/api/connections/{id}', { params: { path: { id } } })),
    onSuccess: (_, connection) => {
      const title = t(connection.status === 'accepted' ? 'removed' : 'withdrawn');
      toast({ title, variant: 'success' });
      void connectionEnded(queryClient, me.id, connection);
    },
    onError: (error, { status }) =>
      showFailure(status === 'accepted' ? 'removeFailed' : 'withdrawFailed', error),
  });
}

const ignoring = ['ignore a suggestion'];

export function useIgnore(me: User) {
  const queryClient = useQueryClient();
  const showFailure = useShowFailure();
  return useMutation({
    mutationKey: ignoring,
    mutationFn: ({ id }: Author) =>
      read(
        api.DELETE('/api/users/{id}/suggestions/{memberId}', {
          params: { path: { id: me.id, memberId: id } },
        }),
      ),
    onSuccess: (_, { id }) => suggestionIgnored(queryClient, me.id, id),
    onError: (error) => showFailure('ignoreFailed', error),
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
