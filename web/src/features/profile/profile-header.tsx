// The head of a profile: cover, picture, name, headline, place, and the ways to reach the member.
import { Calendar, Globe, Link as LinkIcon, type LucideIcon, MapPin, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { User } from '@/api/types';
import { relativeTime } from '@/i18n/format';
import { paths, webAddress } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Seal } from '@/ui/pleading';

export function ProfileHeader({ user }: { user: User }) {
  const { t, i18n } = useTranslation('profile');
  return (
    <Card className="overflow-hidden" aria-label={user.fullName}>
      <div className="pleading relative h-32 overflow-hidden [--pleading-margin:0.625rem] md:h-40 md:[--pleading-margin:1.25rem]">
        <Seal className="-top-10 right-2 size-56 md:-top-14 md:right-9 md:size-72" />
      </div>
      <div className="px-4 pb-5 md:px-8 md:pb-7">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <div className="relative -mt-12 rounded-full ring-4 ring-card md:-mt-[4.5rem]">
            <Avatar user={user} size={96} decorative className="md:hidden" />
            <Avatar user={user} size={136} decorative className="max-md:hidden" />
          </div>
          <Contacts user={user} className="flex flex-wrap gap-2 max-md:hidden" />
        </div>
        <h1 className="mt-3 font-serif text-title wrap-anywhere md:mt-4 md:text-[2rem] md:leading-10">
          {user.fullName}
        </h1>
        {user.headline && <p className="mt-0.5 text-body wrap-anywhere md:text-base">{user.headline}</p>}
        <p className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-ui text-muted-foreground">
          {user.location && <Fact icon={MapPin}>{user.location}</Fact>}
          <Fact icon={Calendar}>{t('joined', { when: relativeTime(i18n.language, user.createdAt) })}</Fact>
        </p>
        <Contacts
          user={user}
          className="mt-4 grid auto-cols-fr grid-flow-col gap-2 md:hidden [&_svg]:hidden"
        />
      </div>
    </Card>
  );
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon className="icon-sm" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}

/** Website and LinkedIn only where there is one. On a phone Message comes first (DESIGN.md, section 5, Profile header). */
function Contacts({ user, className }: { user: User; className: string }) {
  const { t } = useTranslation('profile');
  const look = buttonClass({ variant: 'outline' });
  const links = [
    ['website', webAddress(user.website), Globe],
    ['linkedin', webAddress(user.linkedin), LinkIcon],
  ] as const;
  return (
    <div className={className}>
      {links.map(
        ([name, href, Icon]) =>
          href && (
            <a key={name} href={href} target="_blank" rel="noopener nofollow ugc" className={look}>
              <Icon className="icon-sm" aria-hidden="true" />
              {t(name)}
            </a>
          ),
      )}
      <Link to={paths.messages} className={`${look} max-md:order-first`}>
        <MessageSquare className="icon-sm" aria-hidden="true" />
        {t('message')}
      </Link>
    </div>
  );
}
