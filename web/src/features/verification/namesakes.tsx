// The hint on the profile of an unverified member whose name others have, with links to them.
import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import { namesakesQuery } from '@/api/verifications';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Card } from '@/ui/card';
import { VerifiedMark } from '@/ui/verified-mark';

/** Needs the texts of `profile`. Shows nothing while it loads and when it fails: it is a hint. */
export function Namesakes({ memberId }: { memberId: string }) {
  const { t } = useTranslation('profile');
  const { data: members = [] } = useQuery(namesakesQuery(memberId));
  if (members.length === 0) return null;
  const title = t(members.length === 1 ? 'sameName' : 'sameNames');
  return (
    <Card className="mt-4 px-5 py-4 md:px-8" aria-label={title}>
      <p className="flex items-start gap-2 text-ui font-semibold">
        <UsersRound className="icon-sm mt-0.5 shrink-0 text-gold-text" />
        {title}
      </p>
      <p className="mt-0.5 text-caption text-muted-foreground">{t('sameNameHint')}</p>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
        {members.map((member) => (
          <li key={member.id} className="flex min-w-0 items-center gap-2.5">
            <Avatar user={member} size={32} decorative />
            <span className="min-w-0">
              <span className="flex min-w-0 items-center gap-1">
                <Link to={paths.profile(member.id)} className="link truncate text-ui font-medium">
                  {member.fullName}
                </Link>
                <VerifiedMark member={member} />
              </span>
              {member.headline && (
                <span className="block truncate text-micro text-muted-foreground">{member.headline}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
