// The bottom navigation on a phone has five cells; the last one opens the More sheet.
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { NavLink, useLocation, useMatch } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';
import { bottomPlaces, isInMore, type Place, threadPattern } from './navigation';

const MoreSheet = lazy(async () => (await import('./more-sheet')).MoreSheet);
const UnreadCount = lazy(async () => (await import('./unread-count')).UnreadCount);

const cell =
  'relative flex h-14 min-w-0 flex-col items-center justify-center gap-0.5 text-[0.6875rem] font-medium focus-visible:-outline-offset-2';
const activeCell =
  'before:absolute before:top-0 before:h-0.5 before:w-8 before:rounded-b-sm before:bg-gold [&>svg]:stroke-2';
const lookOf = (isActive: boolean) => `${cell} ${isActive ? activeCell : 'text-muted-foreground'}`;

export function BottomBar() {
  const { t } = useTranslation('shell');
  const { user } = useAuth();
  const { pathname } = useLocation();
  const inThread = useMatch(threadPattern);
  const [more, setMore] = useState(false);
  const [asked, setAsked] = useState(false);
  if (inThread) return null;

  const places = bottomPlaces(user);
  return (
    <>
      <nav
        aria-label={t('nav.primary')}
        className="fixed inset-x-0 bottom-0 z-(--z-bottom-bar) grid grid-cols-5 border-t bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {places.map((place) => (
          <BottomLink key={place.name} place={place} member={user !== null} />
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={more}
          onClick={() => {
            setAsked(true);
            setMore(true);
          }}
          className={lookOf(isInMore(user, pathname))}
        >
          <MenuIcon className="size-[1.375rem] stroke-[1.75]" />
          <span className="whitespace-nowrap">{t('nav.more')}</span>
        </button>
      </nav>
      {asked && <MoreSheet open={more} onOpenChange={setMore} />}
    </>
  );
}

function BottomLink({ place: { name, to, icon: Icon }, member }: { place: Place; member: boolean }) {
  const { t } = useTranslation('shell');
  return (
    <NavLink to={to} caseSensitive end={to === paths.home} className={({ isActive }) => lookOf(isActive)}>
      <Icon className="size-[1.375rem] stroke-[1.75]" />
      <span className="whitespace-nowrap">{t(`nav.${name}`)}</span>
      {member && name === 'messages' && (
        <UnreadCount className="absolute top-1.5 left-1/2 ml-1.5 h-4 min-w-4 ring-2 ring-card" />
      )}
    </NavLink>
  );
}
