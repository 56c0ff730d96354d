// Sends a decision, then reads everything again: another moderator may have been faster.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { moderationKey } from '@/api/moderation';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

/** Needs the texts of `moderation`. */
export function useDecision<Body>(send: (body: Body) => Promise<unknown>, done: (body: Body) => string) {
  const { t } = useTranslation(['moderation', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (_, body) => toast({ title: done(body), variant: 'success' }),
    onError: ({ message }) =>
      toast({ title: t('shell:error'), description: t('decideFailed', { message }), variant: 'destructive' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: moderationKey }),
  });
}
