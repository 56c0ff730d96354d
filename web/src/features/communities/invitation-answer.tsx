// The answer of an invited member: accept or decline.
import { Check } from 'lucide-react';
import type { Community } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { isDoublePress } from '@/ui/double-press';
import { useMembership } from './use-membership';

interface InvitationAnswerProps {
  community: Community;
  /** The only action of its card, not one of a list. */
  primary?: boolean;
  className?: string;
}

export function InvitationAnswer({ community, primary, className = '' }: InvitationAnswerProps) {
  const { t } = useTranslation('communities');
  const { set, isPending } = useMembership(community);
  const { name } = community;
  const size = primary ? 'md' : 'sm';
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      <Button
        variant={primary ? 'primary' : 'outline'}
        size={size}
        className={className}
        aria-label={t('acceptNamed', { name })}
        onClick={(event) => !isPending && !isDoublePress(event) && set(true)}
      >
        <Check className="icon-sm" />
        {t('accept')}
      </Button>
      <Button
        variant="outline"
        size={size}
        className={className}
        aria-label={t('declineNamed', { name })}
        onClick={(event) => !isPending && !isDoublePress(event) && set(false)}
      >
        {t('decline')}
      </Button>
    </div>
  );
}
