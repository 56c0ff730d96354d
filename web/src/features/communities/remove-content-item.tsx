// The menu item of owners and moderators that removes a post or comment from their community.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldX } from 'lucide-react';
import { itemsOf } from '@/api/pages';
import { communitiesQuery, communityQuery } from '@/api/queries';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ActionItem } from '@/ui/menu';
import { moderates } from './roles';

interface RemoveContentItemProps {
  community: NonNullable<Post['community']>;
  /** Runs once the menu has closed. */
  act: () => void;
}

/**
 * Renders nothing for other members. Takes the role from the list of communities until the community itself is fetched:
 * an item that appears in an open menu may move the others. Needs the texts of `manage`.
 */
export function RemoveContentItem({ community, act }: RemoveContentItemProps) {
  const { t } = useTranslation('manage');
  const list = useQueryClient().getQueryData(communitiesQuery.queryKey);
  const { data = itemsOf(list).find(({ id }) => id === community.id) } = useQuery(
    communityQuery(community.id),
  );
  if (!data || !moderates(data)) return null;
  return (
    <ActionItem icon={ShieldX} act={act}>
      {t('removeContent', { community: community.name })}
    </ActionItem>
  );
}
