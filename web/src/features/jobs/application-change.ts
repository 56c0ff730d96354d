// Changes the status and notes of an application, and whether it was sent to the employer: optimistic, reverted with a toast when the server refuses.
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { ApplicationStatus, JobApplication, SentToEmployer } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { applicationChanged } from './jobs-cache';

interface Change {
  status?: ApplicationStatus;
  /** '' clears the notes. */
  notes?: string;
  sentToEmployer?: SentToEmployer;
}

const changing = (id: string) => ['change application', id];

export function useApplicationChange(id: string) {
  const { t } = useTranslation('jobs');
  const queryClient = useQueryClient();
  return useChange({
    mutationKey: changing(id),
    // Serial, so that the last change of the member is applied last.
    scope: { id: changing(id).join(' ') },
    mutationFn: (body: Change) =>
      read(api.PATCH('/api/jobs/applications/{id}', { params: { path: { id } }, body })),
    failed: ({ message }) => t('changeFailed', { message }),
    onSuccess: (application) => applicationChanged(queryClient, application),
  });
}

/** The application with its pending changes; a failed change disappears. */
export function useShown(application: JobApplication): JobApplication {
  const wanted = useMutationState({
    filters: { mutationKey: changing(application.id), status: 'pending' },
    select: ({ state }) => state.variables as Change,
  });
  return Object.assign({}, application, ...wanted) as JobApplication;
}
