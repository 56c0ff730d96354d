// Moving an application along and writing its notes: seen at once, taken back with a toast when the server refuses.
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { ApplicationStatus, JobApplication } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { applicationChanged } from './changes';

interface Change {
  status?: ApplicationStatus;
  /** '' clears them. */
  notes?: string;
}

const changing = (id: string) => ['change application', id];

export function useChange(id: string) {
  const { t } = useTranslation(['jobs', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: changing(id),
    // One after the other, so that the last word is the member's last.
    scope: { id: changing(id).join(' ') },
    mutationFn: (body: Change) =>
      read(api.PATCH('/api/jobs/applications/{id}', { params: { path: { id } }, body })),
    onSuccess: (application) => applicationChanged(queryClient, application),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('changeFailed', { message }),
        variant: 'destructive',
      }),
  });
}

/** The application with what is on its way to the server, as if it had arrived: a change that fails is gone again. */
export function useShown(application: JobApplication): JobApplication {
  const wanted = useMutationState({
    filters: { mutationKey: changing(application.id), status: 'pending' },
    select: ({ state }) => state.variables as Change,
  });
  return Object.assign({}, application, ...wanted) as JobApplication;
}
