// The invitations of the member to communities, above the list of communities.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { itemsOf } from '@/api/pages';
import { ownInvitationsQuery } from '@/api/queries';
import type { OwnCommunityInvitation } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button } from '@/ui/button';
import { Card, CardHeading } from '@/ui/card';
import { RelativeTime } from '@/ui/relative-time';
import { AccessBadges } from './access-badges';
import { InvitationAnswer } from './invitation-answer';

/** Nothing without invitations, and while they load. */
export function OwnInvitations() {
  const { t } = useTranslation('communities');
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(ownInvitationsQuery);
  const invitations = itemsOf<OwnCommunityInvitation>(data);
  if (invitations.length === 0) return null;
  return (
    <Card className="mb-5 p-4 md:p-5" aria-label={t('invitations')}>
      <CardHeading>{t('invitations')}</CardHeading>
      <ul className="mt-1 divide-y">
        {invitations.map(({ community, invitedBy, invitedAt }) => (
          <li key={community.id} className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 py-3.5">
            <div className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <p className="flex flex-wrap items-center gap-2">
                <Link to={paths.community(community.id)} className="text-ui font-semibold hover:underline">
                  {community.name}
                </Link>
                {community.visibility === 'private' && <AccessBadges of={{ ...community, standing: null }} />}
              </p>
              <p className="mt-0.5 text-caption text-muted-foreground">
                {invitedBy ? t('invitedBy', { name: invitedBy.fullName }) : t('invitedByFormer')}
                {'\u00a0·\u00a0'}
                <RelativeTime at={invitedAt} />
              </p>
            </div>
            <InvitationAnswer community={community} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="outline"
          size="sm"
          className="mt-2"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('moreInvitations')}
        </Button>
      )}
    </Card>
  );
}
