// Saves an item or removes it: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { isSaved, savedIdsQuery, savedLists } from '@/api/saved';
import type { SavedId } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';

/** Needs the texts of `saved`. */
export function useSaving({ kind, id }: SavedId) {
  const { t } = useTranslation(['saved', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { data: ids } = useQuery({ ...savedIdsQuery, enabled: user !== null });
  const show = (saved: boolean) =>
    queryClient.setQueryData(savedIdsQuery.queryKey, (before) => {
      const others = before?.filter((one) => one.kind !== kind || one.id !== id) ?? [];
      return saved ? [{ kind, id }, ...others] : others;
    });
  const change = useMutation({
    mutationFn: (saved: boolean) => {
      const params = { path: { kind, id } };
      return saved
        ? read(api.PUT('/api/saved-items/{kind}/{id}', { params }))
        : read(api.DELETE('/api/saved-items/{kind}/{id}', { params }));
    },
    onMutate: async (saved) => {
      // A running fetch does not contain the change.
      await queryClient.cancelQueries(savedIdsQuery);
      show(saved);
    },
    onSuccess: (_, saved) => {
      toast({
        title: t(saved ? 'done' : 'undone'),
        ...(saved && { description: t('doneText') }),
        variant: 'success',
      });
      return queryClient.invalidateQueries({ queryKey: savedLists });
    },
    onError: ({ message }, saved) => {
      show(!saved);
      toast({
        title: t('shell:error'),
        description: t(saved ? 'failed' : 'removeFailed', { message }),
        variant: 'destructive',
      });
    },
  });
  const saved = isSaved(ids, { kind, id });
  const toggle = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signIn'), variant: 'info' });
    else if (!change.isPending) change.mutate(!saved);
  };
  return { saved, toggle };
}
