// The author and the audience of a new post.
import type { User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Audience, type AudienceCommunity } from './audience';

interface ComposerHeadProps {
  user: User;
  community?: AudienceCommunity;
  audience: AudienceCommunity | null;
  /** Null if the audience cannot be changed. */
  onAudience: ((community: AudienceCommunity | null) => void) | null;
}

export function ComposerHead({ user, community, audience, onAudience }: ComposerHeadProps) {
  const { t } = useTranslation('posts');
  return (
    <div className="flex items-center gap-3">
      <Avatar user={user} size={44} decorative />
      <div className="min-w-0">
        <p className="truncate text-ui font-semibold">{user.fullName}</p>
        {user.headline && <p className="truncate text-caption text-muted-foreground">{user.headline}</p>}
        {community ? (
          <p className="text-caption text-muted-foreground wrap-anywhere">
            {t('postingIn', { name: community.name })}
          </p>
        ) : (
          onAudience && <Audience value={audience} onChange={onAudience} />
        )}
      </div>
    </div>
  );
}
