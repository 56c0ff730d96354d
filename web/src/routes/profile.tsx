// The profile of a member.
import { useQuery } from '@tanstack/react-query';
import { Lock, Pencil, Settings } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { profileQuery } from '@/api/queries';
import type { ProfileView } from '@/api/schema.gen';
import { FollowMemberButton } from '@/features/feed-control/follow-member-button';
import { ProfileMenu } from '@/features/feed-control/profile-menu';
import { ConnectionButton } from '@/features/network/connection-button';
import { useEditor } from '@/features/profile/editor';
import { ProfileCards } from '@/features/profile/profile-cards';
import { ProfileHeader } from '@/features/profile/profile-header';
import { ProfileTabs } from '@/features/profile/profile-tabs';
import { Namesakes } from '@/features/verification/namesakes';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button, buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Page } from '@/ui/page';
import { PageMeta, ProfileMeta } from '@/ui/page-meta';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { useStartRequest } from '@/ui/start-request';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';

export function Component() {
  const { id = '' } = useParams();
  const query = useQuery(profileQuery(id));
  return (
    // The key remounts the screen for another member, which resets open tabs and comment boxes.
    <Page key={id}>{query.data ? <Profile view={query.data} /> : <NoProfile {...query} />}</Page>
  );
}

function Profile({ view }: { view: ProfileView }) {
  const { t } = useTranslation('profile');
  const { user: me } = useAuth();
  const editor = useEditor(view);
  const isOwner = me?.id === view.user.id;
  useStartRequest('profile', () => isOwner && editor.open('basic'));
  useLiveTopic(`member ${view.user.id}`);
  return (
    <>
      <ProfileMeta name={view.user.fullName} />
      <ProfileHeader
        user={view.user}
        action={
          isOwner ? (
            <div className="flex gap-2">
              <Button
                aria-haspopup="dialog"
                className="min-w-38 max-md:flex-1"
                onClick={() => editor.open('basic')}
              >
                <Pencil className="icon-sm" />
                {t('edit')}
              </Button>
              <SettingsLink />
            </div>
          ) : (
            <div className="flex flex-wrap gap-2">
              <ConnectionButton person={view.user} />
              {/* The menu is never alone on a line. */}
              {me && (
                <div className="flex gap-2 max-md:has-[[aria-pressed]]:grow max-md:[&>[aria-pressed]]:flex-auto">
                  {!view.restricted && <FollowMemberButton me={me} person={view.user} />}
                  <ProfileMenu person={view.user} />
                </div>
              )}
            </div>
          )
        }
      />
      {!isOwner && !view.user.verified && <Namesakes memberId={view.user.id} />}
      {view.restricted ? (
        <Restricted name={view.user.fullName} />
      ) : (
        <Parts view={view} editor={editor} isOwner={isOwner} />
      )}
      {editor.dialog}
    </>
  );
}

interface PartsProps {
  view: ProfileView;
  editor: ReturnType<typeof useEditor>;
  isOwner: boolean;
}

function Parts({ view, editor, isOwner }: PartsProps) {
  return (
    <div className="mt-4 grid grid-cols-1 items-start gap-4 md:mt-6 md:grid-cols-[20rem_minmax(0,1fr)] md:gap-6 xl:grid-cols-[24rem_minmax(0,1fr)]">
      <div className="min-w-0 space-y-4">
        <ProfileCards view={view} onEdit={isOwner ? editor.open : undefined} />
      </div>
      <div className="min-w-0">
        <ProfileTabs view={view} onEditSkills={isOwner ? () => editor.open('skills') : undefined} />
      </div>
    </div>
  );
}

/** In place of the cards for members outside the audience. */
function Restricted({ name }: { name: string }) {
  const { t } = useTranslation('profile');
  return (
    <Card className="mt-4 md:mt-6">
      <Empty icon={Lock} title={t('restrictedTitle', { name })} hint={t('restricted')} />
    </Card>
  );
}

function SettingsLink() {
  const { t } = useTranslation('shell');
  return (
    <TooltipGroup>
      <Tooltip label={t('nav.settings')}>
        <Link
          to={paths.settings}
          aria-label={t('nav.settings')}
          className={buttonClass({ variant: 'outline', iconOnly: true })}
        >
          <Settings className="icon-sm" />
        </Link>
      </Tooltip>
    </TooltipGroup>
  );
}

/** The loading and failed states, which have no name for the title. */
function NoProfile({ isPending, refetch }: { isPending: boolean; refetch: () => unknown }) {
  const { t } = useTranslation('profile');
  return (
    <>
      <PageMeta page="someone" />
      <h1 className="sr-only">{t('title')}</h1>
      {isPending ? (
        <ProfileSkeleton />
      ) : (
        <ErrorPanel title={t('failedTitle')} onRetry={() => void refetch()}>
          {t('failed')}
        </ErrorPanel>
      )}
    </>
  );
}

function ProfileSkeleton() {
  return (
    <Loading className="card overflow-hidden">
      <Skeleton className="h-32 rounded-none! md:h-40" />
      <Bars
        className="px-4 pb-5 md:px-8 md:pb-7"
        of={[
          '-mt-12 size-24 rounded-full! ring-4 ring-card md:-mt-[4.5rem] md:size-[8.5rem]',
          'mt-5 h-7 w-64 max-w-full md:h-8',
          'mt-3 h-4 w-80 max-w-full',
          'mt-3 h-3.5 w-48',
        ]}
      />
    </Loading>
  );
}
