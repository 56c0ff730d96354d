// The steps with lists: people to connect with, and communities to join, in place.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, read } from '@/api/client';
import { knownItems } from '@/api/pages';
import { communitiesQuery, suggestionsQuery } from '@/api/queries';
import type { Suggestion, User } from '@/api/schema.gen';
import { CommunityRow } from '@/features/communities/community-row';
import { requestSent } from '@/features/network/connection-cache';
import { useReasonOf } from '@/features/network/failure';
import { useReason } from '@/features/network/reason';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { ErrorPanel } from '@/ui/error-panel';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import type { StepProps } from './profile-steps';
import { StepFrame } from './step-frame';
import { communitiesWanted, peopleWanted } from './use-onboarding';

const peopleShown = 8;
const communitiesShown = 6;

/**
 * The people stay in place after a request, so that the member sees what is done. With fewer than wanted the step counts as
 * skipped: the checklist names it again.
 */
export function PeopleStep({ user, onDone, onSkip }: StepProps) {
  const { t } = useTranslation('welcome');
  const { data, isPending, refetch } = useQuery({ ...suggestionsQuery(user.id) });
  const [people, setPeople] = useState<Suggestion[] | null>(null);
  const [asked, setAsked] = useState<string[]>([]);
  const fresh = knownItems(data)?.slice(0, peopleShown);
  if (people === null && fresh) setPeople(fresh);
  return (
    <StepFrame
      step="people"
      action={t('continue')}
      disabled={asked.length === 0 && people?.length !== 0}
      onSubmit={asked.length >= Math.min(peopleWanted, people?.length ?? peopleWanted) ? onDone : onSkip}
      onSkip={onSkip}
    >
      <Progress count={asked.length} wanted={peopleWanted} step="people" />
      <Rows
        items={people ?? undefined}
        isPending={isPending}
        empty={t('people.none')}
        failed={t('people.failed')}
        onRetry={() => void refetch()}
      >
        {(person) => (
          <PersonRow
            key={person.id}
            user={user}
            person={person}
            isAsked={asked.includes(person.id)}
            onAsked={() => setAsked((before) => [...before, person.id])}
          />
        )}
      </Rows>
    </StepFrame>
  );
}

interface PersonRowProps {
  user: User;
  person: Suggestion;
  isAsked: boolean;
  onAsked: () => void;
}

function PersonRow({ user, person, isAsked, onAsked }: PersonRowProps) {
  const { t } = useTranslation('network');
  const queryClient = useQueryClient();
  const reason = useReason();
  const reasonOf = useReasonOf();
  const connect = useChange({
    mutationFn: () =>
      read(
        api.POST('/api/connections', {
          body: { requesterId: user.id, recipientId: person.id, status: 'pending' },
        }),
      ),
    failed: (error) => t('requestFailed', { message: reasonOf(error) }),
    onSuccess: (connection) => {
      onAsked();
      return requestSent(queryClient, user.id, connection);
    },
  });
  return (
    <li className="flex items-center gap-3 py-3 max-sm:flex-wrap max-sm:gap-y-2">
      <Avatar user={person} size={44} decorative />
      {/* On a phone the button stands below: a name needs the width. */}
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-4rem)]">
        <p className="truncate text-ui font-semibold">{person.fullName}</p>
        {person.headline && <p className="truncate text-caption text-muted-foreground">{person.headline}</p>}
        <p className="truncate text-micro text-muted-foreground">{reason(person)}</p>
      </div>
      <Button
        variant={isAsked ? 'done' : 'outline'}
        size="sm"
        className="max-sm:ml-14"
        aria-label={t(isAsked ? 'requestSentTo' : 'connectWith', { name: person.fullName })}
        aria-disabled={isAsked || undefined}
        disabled={connect.isPending}
        onClick={() => !isAsked && connect.mutate()}
      >
        {isAsked ? <Check className="icon-sm" /> : <UserPlus className="icon-sm" />}
        {t(isAsked ? 'pending' : 'connect')}
      </Button>
    </li>
  );
}

export function CommunitiesStep({ onDone, onSkip }: StepProps) {
  const { t } = useTranslation('welcome');
  const { data, isPending, refetch } = useInfiniteQuery(communitiesQuery);
  const all = data?.pages[0]?.items;
  const joined = all?.filter(({ role }) => role).length ?? 0;
  return (
    <StepFrame
      step="communities"
      action={t('finish')}
      disabled={joined === 0 && all?.length !== 0}
      onSubmit={joined >= Math.min(communitiesWanted, all?.length ?? communitiesWanted) ? onDone : onSkip}
      onSkip={onSkip}
    >
      <Progress count={joined} wanted={communitiesWanted} step="communities" />
      <Rows
        items={all?.slice(0, communitiesShown)}
        isPending={isPending}
        empty={t('communities.none')}
        failed={t('communities.failed')}
        onRetry={() => void refetch()}
        className="-mx-4 md:-mx-5"
      >
        {(community) => <CommunityRow key={community.id} community={community} />}
      </Rows>
    </StepFrame>
  );
}

function Progress({
  count,
  wanted,
  step,
}: {
  count: number;
  wanted: number;
  step: 'people' | 'communities';
}) {
  const { t } = useTranslation('welcome');
  return (
    <p role="status" className="text-caption text-muted-foreground tabular-nums">
      {t(`${step}.progress`, { count, wanted })}
    </p>
  );
}

interface RowsProps<Item> {
  items: Item[] | undefined;
  isPending: boolean;
  empty: string;
  failed: string;
  onRetry: () => void;
  className?: string;
  children: (item: Item) => ReactNode;
}

function Rows<Item>({ items, isPending, empty, failed, onRetry, className = '', children }: RowsProps<Item>) {
  if (items)
    return items.length > 0 ? (
      <ul className={`mt-1 divide-y ${className}`}>{items.map(children)}</ul>
    ) : (
      <p className="mt-3 text-body text-muted-foreground">{empty}</p>
    );
  if (!isPending)
    return (
      <div className="mt-3">
        <ErrorPanel onRetry={onRetry}>{failed}</ErrorPanel>
      </div>
    );
  return (
    <LoadingRows className="mt-1 divide-y" row="flex items-center gap-3 py-3">
      <Skeleton className="size-11 rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-3.5 w-40', 'h-3 w-56 max-w-full']} />
    </LoadingRows>
  );
}
