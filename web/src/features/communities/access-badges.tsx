// Who sees a community, how members join it, and the viewer's request or invitation, as badges.
import { LockKeyhole } from 'lucide-react';
import type { Community } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from '@/ui/badge';

/** Nothing for an open community. */
export function AccessBadges({ of: { visibility, joining, role, standing } }: { of: Community }) {
  const { t } = useTranslation('communities');
  return (
    <>
      {visibility === 'private' ? (
        <Badge>
          <span className="inline-flex items-center gap-1">
            <LockKeyhole className="size-3" />
            {t('access.private')}
          </span>
        </Badge>
      ) : (
        joining !== 'open' && <Badge>{t(`access.${joining}`)}</Badge>
      )}
      {standing && !role && <Badge tone="purple">{t(`standing.${standing}`)}</Badge>}
    </>
  );
}
