// The feed of a community, for its members, with the composer above it.
import { useIsMutating } from '@tanstack/react-query';
import { LockKeyhole, Newspaper } from 'lucide-react';
import { membershipKey } from '@/api/communities';
import type { CommunityDetails } from '@/api/types';
import { Composer } from '@/features/posts/composer';
import { PostList } from '@/features/posts/post-list';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';

/** Also needs the texts of `posts` and `network`. */
export function CommunityPosts({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation(['communities', 'posts']);
  const { user, isLoading } = useAuth();
  // The role is updated optimistically; the posts need the server's response.
  const isChanging = useIsMutating({ mutationKey: membershipKey(community.id) }) > 0;
  // The server may accept the request before the session query has finished.
  if (community.role && isLoading) return <PostSkeletons />;
  const isInvited = community.standing === 'invited';
  if (!user || !community.role) {
    return (
      <Card>
        <Empty icon={LockKeyhole} title={t(`joinToSee.${isInvited ? 'invited' : community.joining}`)} />
      </Card>
    );
  }
  return (
    <div className="space-y-4">
      <Composer user={user} community={community} />
      {isChanging ? (
        <PostSkeletons />
      ) : (
        <PostList
          communityId={community.id}
          empty={
            <Card>
              <Empty icon={Newspaper} title={t('posts:none')} hint={t('posts:noneHint')} />
            </Card>
          }
        />
      )}
    </div>
  );
}
