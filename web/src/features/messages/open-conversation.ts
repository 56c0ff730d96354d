// Opens the conversation with a member and creates it if necessary.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationLists } from '@/api/conversations';
import type { Author } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { threadIn } from './addresses';

/** Needs the texts of `network`. */
export function useOpenConversation() {
  const { t } = useTranslation(['network', 'shell']);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Author) => read(api.POST('/api/conversations', { body: { userId: id } })),
    onSuccess: ({ id, folder }) => {
      void queryClient.invalidateQueries({ queryKey: conversationLists });
      void navigate(threadIn(folder, id));
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('messageFailed', { message }),
        variant: 'destructive',
      }),
  });
}
