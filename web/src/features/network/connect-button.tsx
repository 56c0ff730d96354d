// Connect, in a list of suggestions: sends a request, after which the suggestions are fetched anew.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import type { Author, User } from '@/api/types';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { requestSent } from './standing';

interface ConnectButtonProps {
  user: User;
  person: Author;
  className?: string;
}

/** Needs the texts of `network`. */
export function ConnectButton({ user, person, className }: ConnectButtonProps) {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  const connect = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/connections', {
          body: { requesterId: user.id, recipientId: person.id, status: 'pending' },
        }),
      ),
    onSuccess: (connection) => {
      toast({ title: t('requestSent'), description: t('requestSentText'), variant: 'success' });
      return requestSent(queryClient, user.id, connection);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('requestFailed', { message }),
        variant: 'destructive',
      }),
  });
  return (
    <Button
      variant="outline"
      size="sm"
      className={className}
      disabled={connect.isPending}
      onClick={() => connect.mutate()}
    >
      <UserPlus className="icon-sm" aria-hidden="true" />
      {t('connect')}
    </Button>
  );
}
