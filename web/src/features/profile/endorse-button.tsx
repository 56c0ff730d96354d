// Adds or removes an endorsement with one click.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ThumbsUp } from 'lucide-react';
import { api, read } from '@/api/client';
import type { SkillEndorsements } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { updateEndorsements } from './endorsement-cache';

interface EndorseButtonProps {
  memberId: string;
  endorsement: SkillEndorsements;
}

export function EndorseButton({ memberId, endorsement: { skill, endorsedByMe } }: EndorseButtonProps) {
  const { t } = useTranslation(['profile', 'shell']);
  const queryClient = useQueryClient();
  const path = { id: memberId };
  const endorse = useMutation({
    mutationFn: (endorsed: boolean) =>
      endorsed
        ? read(
            api.DELETE('/api/users/{id}/endorsements', {
              params: { path, query: { skill } },
            }),
          )
        : read(api.POST('/api/users/{id}/endorsements', { params: { path }, body: { skill } })),
    onSuccess: (endorsement) => updateEndorsements(queryClient, memberId, endorsement),
    onError: ({ message }, endorsed) =>
      toast({
        title: t('shell:error'),
        description: t(endorsed ? 'withdrawFailed' : 'endorseFailed', { message }),
        variant: 'destructive',
      }),
  });
  const pressed = endorse.isPending ? !endorse.variables : endorsedByMe;

  return (
    <Button
      variant="outline"
      size="sm"
      className={pressed ? 'text-gold-text!' : ''}
      aria-pressed={pressed}
      aria-label={t('endorseSkill', { skill })}
      onClick={() => {
        if (!endorse.isPending) endorse.mutate(endorsedByMe);
      }}
    >
      <ThumbsUp className={`icon-sm ${pressed ? 'fill-gold/30' : ''}`} aria-hidden="true" />
      {t('endorse')}
    </Button>
  );
}
