// The log of a community: the actions of its owners and moderators, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { communityLogQuery } from '@/api/community-moderation';
import type { CommunityLogEntry } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { ManagePart } from './manage-part';
import { ManageSkeletons } from './manage-skeletons';

export function ModerationLog({ id }: { id: string }) {
  const { t } = useTranslation('manage');
  return (
    <ManagePart title={t('log')} hint={t('logHint')}>
      <PagedCard
        query={useInfiniteQuery(communityLogQuery(id))}
        skeleton={<ManageSkeletons />}
        failed={t('logFailed')}
        more={t('moreLog')}
        empty={<EmptyCard icon={ScrollText} title={t('noLog')} hint={t('noLogHint')} />}
        ordered
      >
        {(entry) => (
          <li key={entry.id} className="px-4 py-3 text-ui md:px-5">
            <Entry of={entry} />
          </li>
        )}
      </PagedCard>
    </ManagePart>
  );
}

function Entry({ of: { action, actor, user, role, reason, createdAt } }: { of: CommunityLogEntry }) {
  const { t } = useTranslation('manage');
  const names = { actor: actor?.fullName, name: user?.fullName };
  const what = action === 'role_set' ? (`role_set_${role ?? 'member'}` as const) : action;
  // Deleted accounts have no name. Each case is a sentence of its own: Filipino has other particles for names than for nouns.
  const who = actor ? (user ? 'both' : 'noMember') : user ? 'noActor' : 'neither';
  const isOwn = actor !== null && actor.id === user?.id;
  return (
    <>
      <p className="wrap-anywhere">
        {isOwn && (what === 'role_set_moderator' || what === 'role_set_member')
          ? t(`did.self.${what}`, names)
          : t(`did.${who}.${what}`, names)}
      </p>
      <p className="text-caption text-muted-foreground wrap-anywhere">
        {reason && `${t(`reasons.${reason}`)}\u00a0·\u00a0`}
        <RelativeTime at={createdAt} />
      </p>
    </>
  );
}
