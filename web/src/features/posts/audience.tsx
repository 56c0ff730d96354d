// The audience of a new post: everyone, or the members of a community.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Globe, Users } from 'lucide-react';
import { useEffect } from 'react';
import { itemsOf } from '@/api/pages';
import { communitiesQuery } from '@/api/queries';
import type { Community } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Select } from '@/ui/select';

/** No id of a community. */
const everyone = 'everyone';

/** The community whose members may see the post. */
export type AudienceCommunity = Pick<Community, 'id' | 'name'>;

interface AudienceProps {
  /** Null is everyone. */
  value: AudienceCommunity | null;
  onChange: (community: AudienceCommunity | null) => void;
}

/** Hidden for a member without communities. */
export function Audience({ value, onChange }: AudienceProps) {
  const { t } = useTranslation('posts');
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery(communitiesQuery);
  const communities = itemsOf(data);
  // The member's own communities come first: while only these are loaded, there may be more.
  const more = hasNextPage && !isFetching && !isError && communities.every(({ role }) => role);
  useEffect(() => {
    if (more) void fetchNextPage();
  }, [more, fetchNextPage]);

  const choices: AudienceCommunity[] = communities.filter(({ role }) => role);
  // A community that the member has left elsewhere stays selected; the server refuses it.
  if (value && !choices.some(({ id }) => id === value.id)) choices.push(value);
  if (choices.length === 0) return null;
  const Icon = value ? Users : Globe;
  return (
    <div className="mt-0.5 flex min-w-0 items-center gap-1.5 text-muted-foreground">
      <Icon className="size-3.5 shrink-0" />
      <Select
        label={t('audience')}
        look="inline"
        align="start"
        className="min-w-0"
        options={[
          { value: everyone, label: t('everyone') },
          ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value?.id ?? everyone}
        onChange={(next) => onChange(choices.find(({ id }) => id === next) ?? null)}
      />
    </div>
  );
}
