// Opens the conversation with a member and creates it if necessary.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { conversationLists } from '@/api/conversations';
import type { Author } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { threadIn } from '@/message-paths';
import { useChange } from '@/session/use-change';

export function useOpenConversation() {
  const { t } = useTranslation('network');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: ({ id }: Author) => read(api.POST('/api/conversations', { body: { userId: id } })),
    failed: ({ message }) => t('messageFailed', { message }),
    onSuccess: ({ id, folder }) => {
      void queryClient.invalidateQueries({ queryKey: conversationLists });
      void navigate(threadIn(folder, id));
    },
  });
}
