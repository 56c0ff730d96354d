// A community's own feed: for its members, with the composer above it.
import { useIsMutating } from '@tanstack/react-query';
import { LockKeyhole, Newspaper } from 'lucide-react';
import type { CommunityDetails } from '@/api/types';
import { Composer } from '@/features/posts/composer';
import { PostList } from '@/features/posts/post-list';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { membershipKey } from './membership';

/** Needs the texts of `posts` and `network` besides its own. */
export function CommunityPosts({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation(['communities', 'posts']);
  const { user, isLoading } = useAuth();
  // What is shown of a joining goes before the server's word; the posts come after it.
  const isChanging = useIsMutating({ mutationKey: membershipKey(community.id) }) > 0;
  // The server knows who asks before the session check has told the screen.
  if (community.role && isLoading) return <PostSkeletons />;
  if (!user || !community.role) {
    return (
      <Card>
        <Empty icon={LockKeyhole} title={t('joinToSee')} />
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
