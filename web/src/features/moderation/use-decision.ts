// Sends a decision, then reads everything again: another moderator may have been faster.
import { useQueryClient } from '@tanstack/react-query';
import { moderation } from '@/api/moderation';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

interface Variables<Body> {
  body: Body;
  /** Removes the draft of the form, which may be off the screen by then. */
  discard: () => void;
}

export function useDecision<Body>(send: (body: Body) => Promise<unknown>, done: (body: Body) => string) {
  const { t } = useTranslation('moderation');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: ({ body }: Variables<Body>) => send(body),
    done: (_, { body }) => ({ title: done(body) }),
    failed: ({ message }) => t('decideFailed', { message }),
    onSuccess: (_, { discard }) => discard(),
    onSettled: () => queryClient.invalidateQueries(moderation),
  });
}
