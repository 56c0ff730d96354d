// The endorsers of a skill. Its owner may hide and show an endorsement.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { api, read } from '@/api/client';
import { endorsementsQuery } from '@/api/queries';
import type { Endorsement } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Avatar } from '@/ui/avatar';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { updateEndorsements } from './endorsement-cache';

interface EndorsersDialogProps {
  memberId: string;
  skill: string;
  isOwner: boolean;
  open: boolean;
  onClose: () => void;
}

export function EndorsersDialog({ memberId, skill, isOwner, open, onClose }: EndorsersDialogProps) {
  const { t } = useTranslation('profile');
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('endorsersOf', { skill })}>
      <div className="pb-5">
        <Endorsers memberId={memberId} skill={skill} isOwner={isOwner} />
      </div>
    </Dialog>
  );
}

function Endorsers({ memberId, skill, isOwner }: Omit<EndorsersDialogProps, 'open' | 'onClose'>) {
  const { t } = useTranslation('profile');
  const query = useInfiniteQuery(endorsementsQuery(memberId, skill));
  if (query.isPending) return <EndorserSkeletons />;
  const again = () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch());
  const failed = <ErrorPanel onRetry={again}>{t('endorsersFailed')}</ErrorPanel>;
  if (!query.data) return failed;
  const endorsements = query.data.pages.flatMap(({ items }) => items);
  if (endorsements.length === 0) {
    return <p className="text-body text-muted-foreground">{t('noEndorsers')}</p>;
  }
  return (
    <>
      <ul className="divide-y">
        {endorsements.map((endorsement) => (
          <li key={endorsement.user.id} className="flex flex-wrap items-center gap-x-3.5 gap-y-2 py-3">
            <Avatar user={endorsement.user} size={44} decorative />
            <div className="min-w-0 flex-1">
              <PersonName person={endorsement.user} />
              <p className="text-micro text-muted-foreground">
                <RelativeTime at={endorsement.createdAt} />
              </p>
            </div>
            {endorsement.hidden && <Badge>{t('hidden')}</Badge>}
            {isOwner && <HideButton memberId={memberId} skill={skill} endorsement={endorsement} />}
          </li>
        ))}
      </ul>
      {query.isError && failed}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="mt-3 w-full"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('moreEndorsers')}
        </Button>
      )}
    </>
  );
}

interface HideButtonProps {
  memberId: string;
  skill: string;
  endorsement: Endorsement;
}

function HideButton({ memberId, skill, endorsement: { user, hidden } }: HideButtonProps) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const hide = useChange({
    mutationFn: () =>
      read(
        api.PATCH('/api/users/{id}/endorsements', {
          params: { path: { id: memberId } },
          body: { skill, endorserId: user.id, hidden: !hidden },
        }),
      ),
    failed: ({ message }) => t('hideFailed', { message }),
    onSuccess: (endorsement) => updateEndorsements(queryClient, memberId, endorsement),
  });
  const Icon = hidden ? Eye : EyeOff;
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={t(hidden ? 'showOf' : 'hideOf', { name: user.fullName })}
      onClick={() => {
        if (!hide.isPending) hide.mutate();
      }}
    >
      <Icon className="icon-sm" />
      {t(hidden ? 'show' : 'hide')}
    </Button>
  );
}

function EndorserSkeletons() {
  return (
    <LoadingRows count={2} className="divide-y" row="flex items-center gap-3.5 py-3">
      <Skeleton className="size-11 rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-3.5 w-40', 'h-3 w-60 max-w-full']} />
    </LoadingRows>
  );
}
