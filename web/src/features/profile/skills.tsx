// Skills and their endorsements: connections endorse with one click, every caller can read the list.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Sparkles, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { api, read } from '@/api/client';
import { connectionQuery } from '@/api/queries';
import type { ProfileView, SkillEndorsements } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { Card, CardHeading } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { EditIcon } from './edit-icon';
import { updateEndorsements } from './endorsement-cache';

const EndorsersDialog = lazy(async () => (await import('./endorsers-dialog')).EndorsersDialog);

interface SkillsProps {
  view: ProfileView;
  /** Present for the owner. */
  onEdit?: () => void;
}

export function Skills({ view: { user, profile, endorsements }, onEdit }: SkillsProps) {
  const { t } = useTranslation('profile');
  const { user: me } = useAuth();
  const isOwner = me?.id === user.id;
  const asks = me !== null && !isOwner;
  const { data: connection } = useQuery({ ...connectionQuery(me?.id ?? '', user.id), enabled: asks });
  const [shown, setShown] = useState<{ skill: string; isOpen: boolean } | null>(null);
  const skills = profile.skills.map(
    (skill) =>
      endorsements.find((endorsement) => endorsement.skill === skill) ?? {
        skill,
        count: 0,
        endorsedByMe: false,
      },
  );

  return (
    <Card aria-label={t('skillList')}>
      {onEdit && (
        <div className="px-5 pt-5 pb-1">
          <CardHeading action={<EditIcon label={t('editCard', { card: t('skillList') })} onClick={onEdit} />}>
            {t('skillList')}
          </CardHeading>
        </div>
      )}
      {skills.length > 0 ? (
        <ul className="divide-y px-5">
          {skills.map((endorsement) => (
            <li
              key={endorsement.skill}
              className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-3"
            >
              <div className="min-w-0">
                <p className="text-ui font-medium wrap-anywhere">{endorsement.skill}</p>
                <EndorsementCount
                  endorsement={endorsement}
                  // The owner may open an empty list: hidden endorsements are not counted and can be shown again.
                  onOpen={
                    isOwner || endorsement.count > 0
                      ? () => setShown({ skill: endorsement.skill, isOpen: true })
                      : undefined
                  }
                />
              </div>
              {asks && connection?.status === 'accepted' && (
                <EndorseButton memberId={user.id} endorsement={endorsement} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon={Sparkles} title={t('noSkills')} />
      )}
      {shown && (
        <EndorsersDialog
          key={shown.skill}
          memberId={user.id}
          skill={shown.skill}
          isOwner={isOwner}
          open={shown.isOpen}
          onClose={() => setShown({ ...shown, isOpen: false })}
        />
      )}
    </Card>
  );
}

/** 'N endorsements': opens the list of endorsers. */
function EndorsementCount({
  endorsement: { skill, count },
  onOpen,
}: {
  endorsement: SkillEndorsements;
  onOpen?: () => void;
}) {
  const { t } = useTranslation('profile');
  const words = t('endorsements', { count });
  if (!onOpen) return <p className="text-caption text-muted-foreground tabular-nums">{words}</p>;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={t('endorsementsOf', { endorsements: words, skill })}
      className="reach cursor-pointer rounded-xs text-caption text-muted-foreground tabular-nums underline-offset-3 hover:text-foreground hover:underline"
      onClick={onOpen}
    >
      {words}
    </button>
  );
}

interface EndorseButtonProps {
  memberId: string;
  endorsement: SkillEndorsements;
}

/** Adds or removes an endorsement with one click. */
function EndorseButton({ memberId, endorsement: { skill, endorsedByMe } }: EndorseButtonProps) {
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
