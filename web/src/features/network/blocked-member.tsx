// In place of the profile of a member that the signed-in member blocked: says so, and unblocks. Needs the texts of `network`.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useEffect } from 'react';
import { itemsOf } from '@/api/pages';
import { allBlocksQuery } from '@/api/queries';
import type { Author, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { useUnblock } from './block-mutations';

/**
 * Finds the member in the own blocks: the profile itself is answered as if it did not exist. `enabled` once that answer
 * is there.
 */
export function useOwnBlock(id: string, enabled: boolean): { blocked?: Author; isFetching: boolean } {
  const { data, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({ ...allBlocksQuery, enabled });
  const blocked = enabled ? itemsOf(data).find(({ user }) => user.id === id)?.user : undefined;
  const goesOn = enabled && !blocked && hasNextPage && !isFetching;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { blocked, isFetching: enabled && (isFetching || goesOn) };
}

interface BlockedMemberProps {
  me: User;
  person: Author;
  /** Called at the press. */
  onUnblock: () => void;
}

export function BlockedMember({ me, person, onUnblock }: BlockedMemberProps) {
  const { t } = useTranslation('network');
  // The button is about to disappear.
  const unblock = useUnblock(me, () => document.querySelector('main')?.focus({ preventScroll: true }));
  return (
    <EmptyCard
      icon={Ban}
      title={t('youBlocked')}
      hint={t('youBlockedHint', { name: person.fullName })}
      action={
        <Button
          variant="outline"
          busy={unblock.isPending}
          busyLabel={t('unblocking')}
          aria-label={t('unblockOne', { name: person.fullName })}
          onClick={() => {
            onUnblock();
            unblock.mutate(person);
          }}
        >
          {t('unblock')}
        </Button>
      }
    />
  );
}
