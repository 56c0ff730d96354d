// Skills and their endorsements: connections endorse with one click, every caller can read the list.
import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { connectionQuery } from '@/api/queries';
import type { ProfileView, SkillEndorsements } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Card, CardHeading } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { EditIcon } from './edit-icon';
import { EndorseButton } from './endorse-button';

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
