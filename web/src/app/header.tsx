// The header: logo, navigation, and the controls of a visitor or a member.
import { Link, NavLink } from 'react-router';
import type { User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { buttonClass } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { HomeLink } from '@/ui/logo';
import { LanguageSwitcher } from './language-switcher';
import { bottomPlaces, headerEnd, headerPlaces, type Place } from './navigation';

const MemberControls = lazy(async () => (await import('./member-controls')).loadMemberControls());
const MoreButton = lazy(async () => (await import('./member-controls')).loadMoreButton());
const UnreadCount = lazy(async () => (await import('./unread-count')).UnreadCount);

export function Header() {
  const { t } = useTranslation('shell');
  const { user, isLoading } = useAuth();
  return (
    <header className="sticky top-0 z-(--z-header) h-16 border-b bg-card">
      <div className="mx-auto flex h-full max-w-page items-center gap-2 px-4 sm:gap-3 md:px-6">
        <HomeLink />
        <nav aria-label={t('nav.primary')} className="ml-2 hidden h-full lg:ml-4 items-stretch md:flex">
          {headerPlaces(user).map((place) => (
            <HeaderLink key={place.name} place={place} user={user} />
          ))}
          {user && <MoreButton user={user} />}
        </nav>
        <div id={headerEnd} className="ml-auto flex min-w-0 items-center gap-0.5 sm:gap-1">
          {user ? <MemberControls user={user} /> : !isLoading && <VisitorControls />}
        </div>
      </div>
    </header>
  );
}

/** A member's header has room for four links below 1100 px: the others are in More. */
function HeaderLink({ place, user }: { place: Place; user: User | null }) {
  const { t } = useTranslation('shell');
  const { name, to } = place;
  return (
    <NavLink
      to={to}
      caseSensitive
      end={to === paths.home}
      className={`header-link ${user && !bottomPlaces(user).includes(place) ? 'max-[68.75rem]:hidden' : ''}`}
    >
      {t(`nav.${name}`)}
      {user && name === 'messages' && <UnreadCount className="ml-1.5 h-[1.125rem] min-w-[1.125rem]" />}
    </NavLink>
  );
}

function VisitorControls() {
  const { t } = useTranslation('shell');
  return (
    <>
      <LanguageSwitcher nameFrom="lg" />
      <Link to={paths.auth} className={buttonClass({ variant: 'ghost', className: 'max-[24rem]:px-2!' })}>
        {t('nav.signIn')}
      </Link>
      <Link to={paths.register} className={buttonClass({ className: 'max-[24rem]:px-2.5!' })}>
        {t('nav.register')}
      </Link>
    </>
  );
}
