// The role of a member in a community, as a badge.
import type { CommunityRole } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from '@/ui/badge';

export function RoleBadge({ of: role }: { of: CommunityRole }) {
  const { t } = useTranslation('communities');
  return <Badge tone={role === 'member' ? 'grey' : 'blue'}>{t(`role.${role}`)}</Badge>;
}
