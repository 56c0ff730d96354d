// The header: logo, navigation, and the controls of a visitor or a member.
import { Link, NavLink } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { buttonClass } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { HomeLink } from '@/ui/logo';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { LanguageSwitcher } from './language-switcher';
import { headerEnd, headerPlaces, type Place } from './navigation';

const MemberControls = lazy(async () => (await import('./member-controls')).loadMemberControls());
const UnreadCount = lazy(async () => (await import('./unread-count')).UnreadCount);

export function Header() {
  const { t } = useTranslation('shell');
  const { user, isLoading } = useAuth();
  return (
    <header className="sticky top-0 z-(--z-header) h-16 border-b bg-card">
      <div className="mx-auto flex h-full max-w-page items-center gap-2 px-4 sm:gap-3 md:px-6">
        <HomeLink />
        <nav aria-label={t('nav.primary')} className="ml-4 hidden h-full items-stretch md:flex">
          <TooltipGroup>
            {headerPlaces(user).map((place) => (
              <HeaderLink key={place.name} place={place} member={user !== null} />
            ))}
          </TooltipGroup>
        </nav>
        <div id={headerEnd} className="ml-auto flex min-w-0 items-center gap-0.5 sm:gap-1">
          {user ? <MemberControls user={user} /> : !isLoading && <VisitorControls />}
        </div>
      </div>
    </header>
  );
}

function HeaderLink({ place: { name, to, icon: Icon }, member }: { place: Place; member: boolean }) {
  const { t } = useTranslation('shell');
  return (
    <Tooltip label={t(`nav.${name}`)} className="lg:hidden">
      <NavLink
        to={to}
        caseSensitive
        end={to === paths.home}
        className="relative flex items-center whitespace-nowrap px-2 xl:px-2.5 text-[0.84375rem] font-medium text-muted-foreground transition-colors duration-(--duration-fast) after:absolute after:inset-x-2 xl:after:inset-x-2.5 after:-bottom-px after:h-0.5 after:rounded-t-sm hover:text-foreground focus-visible:-outline-offset-2 aria-[current=page]:text-foreground aria-[current=page]:after:bg-gold"
      >
        <Icon className="icon lg:hidden" />
        <span className="max-lg:sr-only">{t(`nav.${name}`)}</span>
        {member && name === 'messages' && <UnreadCount className="ml-1.5 h-[1.125rem] min-w-[1.125rem]" />}
      </NavLink>
    </Tooltip>
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
