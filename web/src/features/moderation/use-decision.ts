// Sends a decision, then reads everything again: another moderator may have been faster.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { moderationKey } from '@/api/moderation';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

interface Variables<Body> {
  body: Body;
  /** Removes the draft of the form, which may be off the screen by then. */
  discard: () => void;
}

/** Needs the texts of `moderation`. */
export function useDecision<Body>(send: (body: Body) => Promise<unknown>, done: (body: Body) => string) {
  const { t } = useTranslation(['moderation', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body }: Variables<Body>) => send(body),
    onSuccess: (_, { body, discard }) => {
      discard();
      toast({ title: done(body), variant: 'success' });
    },
    onError: ({ message }) =>
      toast({ title: t('shell:error'), description: t('decideFailed', { message }), variant: 'destructive' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: moderationKey }),
  });
}
