// The bar at the top: logo, navigation, search, language, notifications, log out and avatar.
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import type { User } from '@/api/types';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { Button, buttonClass } from '@/ui/button';
import { Mark, Wordmark } from '@/ui/logo';
import { Tooltip } from '@/ui/tooltip';
import { HeaderSearch } from './header-search';
import { LanguageSwitcher } from './language-switcher';
import { headerPlaces, type Place } from './navigation';
import { NotificationsButton } from './notifications-button';
import { useUnread } from './use-unread';

export function Header() {
  const { t } = useTranslation('shell');
  const { user, isLoading } = useAuth();
  return (
    <header className="sticky top-0 z-(--z-header) h-16 border-b bg-card">
      <div className="mx-auto flex h-full max-w-[78rem] items-center gap-3 px-4 md:px-6">
        <Link
          to={paths.home}
          aria-label={`${t('brand')}, ${t('nav.home')}`}
          className="flex items-center gap-2.5 rounded-xs"
        >
          <Mark />
          <Wordmark />
        </Link>
        <nav aria-label={t('nav.primary')} className="ml-4 hidden h-full items-stretch md:flex">
          {headerPlaces(user).map((place) => (
            <HeaderLink key={place.name} place={place} />
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          {user ? <MemberControls user={user} /> : !isLoading && <VisitorControls />}
        </div>
      </div>
    </header>
  );
}

function HeaderLink({ place: { name, to, icon: Icon } }: { place: Place }) {
  const { t } = useTranslation('shell');
  const unread = useUnread();
  return (
    <NavLink
      to={to}
      end={to === paths.home}
      className="relative flex items-center whitespace-nowrap px-2.5 text-[0.84375rem] font-medium text-muted-foreground transition-colors duration-(--duration-fast) after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 after:rounded-t-sm hover:text-foreground focus-visible:-outline-offset-2 aria-[current=page]:text-foreground aria-[current=page]:after:bg-gold"
    >
      <Tooltip label={t(`nav.${name}`)}>
        <span className="lg:hidden">
          <Icon className="icon" aria-hidden="true" />
        </span>
      </Tooltip>
      <span className="max-lg:sr-only">{t(`nav.${name}`)}</span>
      {name === 'messages' && unread > 0 && (
        <span className="ml-1.5 inline-flex h-[1.125rem] min-w-[1.125rem] items-center justify-center rounded-full bg-gold px-1 text-[0.6875rem] leading-none font-semibold text-gold-foreground">
          <span aria-hidden="true">{unread}</span>
          <span className="sr-only">{t('nav.unread', { count: unread })}</span>
        </span>
      )}
    </NavLink>
  );
}

function MemberControls({ user }: { user: User }) {
  const { t } = useTranslation('shell');
  const { signOut } = useAuth();
  return (
    <>
      <HeaderSearch />
      <LanguageSwitcher nameFrom="xl" />
      <NotificationsButton />
      <Tooltip label={t('nav.logOut')}>
        <Button
          variant="ghost"
          iconOnly
          className="max-md:hidden"
          aria-label={t('nav.logOut')}
          onClick={() => void signOut()}
        >
          <LogOut className="icon" aria-hidden="true" />
        </Button>
      </Tooltip>
      <Tooltip label={t('nav.myProfile')}>
        <Link to={paths.profile(user.id)} className="ml-1.5 flex rounded-full">
          <Avatar user={user} size={36} />
        </Link>
      </Tooltip>
    </>
  );
}

function VisitorControls() {
  const { t } = useTranslation('shell');
  return (
    <>
      <LanguageSwitcher nameFrom="lg" />
      <Link to={paths.auth} className={buttonClass({ variant: 'ghost', className: 'max-[24rem]:px-2' })}>
        {t('nav.signIn')}
      </Link>
      <Link to={paths.register} className={buttonClass({ className: 'max-[24rem]:px-2.5' })}>
        {t('nav.register')}
      </Link>
    </>
  );
}
