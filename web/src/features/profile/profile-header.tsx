// The header of a profile: cover, picture, name, headline, place, and contact buttons.
import { Calendar, Globe, Link as LinkIcon, type LucideIcon, MapPin, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '@/api/schema.gen';
import { MessageButton } from '@/features/network/message-button';
import { relativeTime } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Seal } from '@/ui/brand-ornament';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { VerifiedMark } from '@/ui/verified-mark';
import { webAddress } from '@/web-address';

interface ProfileHeaderProps {
  user: User;
  /** The only primary button: Edit Profile, or the connection button. */
  action: ReactNode;
}

export function ProfileHeader({ user, action }: ProfileHeaderProps) {
  const { t, i18n } = useTranslation('profile');
  return (
    <Card className="overflow-hidden" aria-label={user.fullName}>
      <div className="brand-ornament relative h-32 overflow-hidden [--ornament-margin:0.625rem] md:h-40 md:[--ornament-margin:1.25rem]">
        <Seal className="-top-10 right-2 size-56 md:-top-14 md:right-9 md:size-72" />
      </div>
      <div className="grid grid-cols-1 px-4 pb-5 md:grid-cols-[auto_minmax(0,1fr)] md:gap-x-4 md:px-8 md:pb-7">
        <div className="relative -mt-12 justify-self-start rounded-full ring-4 ring-card md:-mt-[4.5rem]">
          <Avatar user={user} size={96} decorative className="md:hidden" />
          <Avatar user={user} size={136} decorative className="max-md:hidden" />
        </div>
        <div className="mt-3 min-w-0 md:col-span-2 md:mt-4">
          <h1 dir="auto" className="font-serif text-title wrap-anywhere md:text-[2rem] md:leading-10">
            {user.fullName}
            <VerifiedMark member={user} className="ml-2 size-6!" />
          </h1>
          {user.headline && (
            <p dir="auto" className="mt-0.5 text-body wrap-anywhere md:text-base">
              {user.headline}
            </p>
          )}
          <p className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-ui text-muted-foreground">
            {user.location && <Fact icon={MapPin}>{user.location}</Fact>}
            <Fact icon={Calendar}>{t('joined', { when: relativeTime(i18n.language, user.createdAt) })}</Fact>
          </p>
        </div>
        {/* On a phone the primary button is above the others, from 768 px to their right beside the picture. */}
        <div className="mt-4 flex min-w-0 flex-col-reverse gap-2 md:col-start-2 md:row-start-1 md:mt-0 md:flex-row md:flex-wrap md:pt-3 md:items-end md:justify-end md:self-end md:justify-self-end">
          <Contacts user={user} />
          {action}
        </div>
      </div>
    </Card>
  );
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon className="icon-sm" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}

/** Website and LinkedIn only if present. On a phone Message comes first (DESIGN.md, section 5, Profile header). */
function Contacts({ user }: { user: User }) {
  const { t } = useTranslation('profile');
  const narrow = 'max-md:px-2 max-md:[&_svg]:hidden';
  const look = buttonClass({ variant: 'outline', className: narrow });
  const links = [
    ['website', webAddress(user.website), Globe],
    ['linkedin', webAddress(user.linkedin), LinkIcon],
  ] as const;
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2 md:flex md:flex-wrap">
      {links.map(
        ([name, href, Icon]) =>
          href && (
            <a key={name} href={href} target="_blank" rel="noopener nofollow ugc" className={look}>
              <Icon className="icon-sm" />
              {t(name)}
            </a>
          ),
      )}
      <MessageButton person={user} className={`${narrow} max-md:order-first`}>
        <MessageSquare className="icon-sm" />
        {t('message')}
      </MessageButton>
    </div>
  );
}
