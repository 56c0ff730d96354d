// 'Why am I seeing this?': the reasons that the server computed.
import { useQuery } from '@tanstack/react-query';
import {
  Flame,
  Globe,
  GraduationCap,
  Hash,
  type LucideIcon,
  PencilLine,
  UserCheck,
  Users,
  UsersRound,
} from 'lucide-react';
import { Link } from 'react-router';
import { reasonsQuery } from '@/api/feed-control';
import type { PostReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { Loading } from '@/ui/skeleton';
import type { FeedDialogProps } from './feed-dialog';

const icons: Record<PostReason['kind'], LucideIcon> = {
  own: PencilLine,
  connection: Users,
  'followed-member': UserCheck,
  community: UsersRound,
  school: GraduationCap,
  topic: Hash,
  popular: Flame,
  public: Globe,
};

export function WhyDialog({ post, open, onClose }: FeedDialogProps) {
  const { t } = useTranslation('feeds');
  const { data: reasons, isPending, refetch } = useQuery(reasonsQuery(post.id));
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={t('why')}
      footer={
        <Link to={paths.feedSettings} className={buttonClass({ variant: 'outline', className: 'ml-auto' })}>
          {t('whyMore')}
        </Link>
      }
    >
      {isPending ? (
        <Loading className="space-y-3 py-2" bars={['h-4 w-64 max-w-full', 'h-4 w-48']} />
      ) : reasons ? (
        <ul className="space-y-3 py-1">
          {reasons.map(({ kind, topic, community }) => {
            const Icon = icons[kind];
            return (
              <li key={`${kind} ${topic}`} className="flex items-start gap-3 text-body">
                <Icon className="icon mt-0.5 shrink-0 text-gold-text" />
                <span className="min-w-0 wrap-anywhere">
                  {t(`reasons.${kind}`, {
                    name: post.user.fullName,
                    topic: topic ?? '',
                    community: community ?? '',
                  })}
                </span>
              </li>
            );
          })}
        </ul>
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('whyFailed')}</ErrorPanel>
      )}
    </Dialog>
  );
}
