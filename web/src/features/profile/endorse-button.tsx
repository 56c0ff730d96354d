// Adds or removes an endorsement with one click.
import { useQueryClient } from '@tanstack/react-query';
import { ThumbsUp } from 'lucide-react';
import { api, read } from '@/api/client';
import type { SkillEndorsements } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { updateEndorsements } from './endorsement-cache';

interface EndorseButtonProps {
  memberId: string;
  endorsement: SkillEndorsements;
}

export function EndorseButton({ memberId, endorsement: { skill, endorsedByMe } }: EndorseButtonProps) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const path = { id: memberId };
  const endorse = useChange({
    mutationFn: (endorsed: boolean) =>
      endorsed
        ? read(
            api.DELETE('/api/users/{id}/endorsements', {
              params: { path, query: { skill } },
            }),
          )
        : read(api.POST('/api/users/{id}/endorsements', { params: { path }, body: { skill } })),
    failed: ({ message }, endorsed) => t(endorsed ? 'withdrawFailed' : 'endorseFailed', { message }),
    onSuccess: (endorsement) => updateEndorsements(queryClient, memberId, endorsement),
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
      <ThumbsUp className={`icon-sm ${pressed ? 'fill-gold/30' : ''}`} />
      {t('endorse')}
    </Button>
  );
}
