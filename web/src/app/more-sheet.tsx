// The More sheet on a phone: profile, places that have no cell, language, theme, log out.
import {
  BadgeCheck,
  Bookmark,
  Calendar,
  Globe,
  Hash,
  Landmark,
  LogIn,
  LogOut,
  type LucideIcon,
  Moon,
  Search,
  Settings,
  ShieldCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Language, languageNames, languages } from '@/i18n/i18n';
import { loadTexts, withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { useSignOut } from '@/session/use-sign-out';
import { Avatar } from '@/ui/avatar';
import { chooseLanguage } from '@/ui/choose-language';
import { BottomSheet } from '@/ui/dialog';
import { lazyOptional } from '@/ui/lazy-optional';
import { Segmented } from '@/ui/segmented';
import { ThemeChoice } from '@/ui/theme-choice';
import { morePlaces } from './navigation';

/** Loads for stewards only. */
const LazySchoolRow = lazyOptional(async () => (await withTexts(import('./school-row'), 'mark')).SchoolRow);

/** On larger screens the columns of Home lead there. */
const otherPlaces = [
  { name: 'communities', to: paths.communities, icon: Landmark },
  { name: 'topics', to: paths.topics, icon: Hash },
  { name: 'events', to: paths.events, icon: Calendar },
] as const;

/** These places use the texts of the command palette. */
const LazyOtherPlaces = lazyOptional(async () => {
  await loadTexts('commands');
  return OtherPlaces;
});

const row = 'flex min-h-12 w-full items-center gap-3.5 rounded-md px-3 text-left text-body font-medium';
const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

interface MoreSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MoreSheet({ open, onOpenChange }: MoreSheetProps) {
  const { t, i18n } = useTranslation('shell');
  const { user } = useAuth();
  const signOut = useSignOut();
  const close = () => onOpenChange(false);
  return (
    <BottomSheet open={open} onOpenChange={onOpenChange} label={t('nav.more')}>
      {user && (
        <>
          <Link
            to={paths.profile(user.id)}
            onClick={close}
            className="flex items-center gap-3 rounded-md px-3 py-2.5"
          >
            <Avatar user={user} size={44} decorative />
            <span className="min-w-0">
              <span className="block truncate text-body font-semibold">{user.fullName}</span>
              <span className="block text-caption text-muted-foreground">{t('nav.myProfile')}</span>
            </span>
          </Link>
          <Divider />
        </>
      )}
      {morePlaces(user).map(({ name, to, icon }) => (
        <SheetLink key={name} to={to} icon={icon} onClick={close}>
          {t(`nav.${name}`)}
        </SheetLink>
      ))}
      <LazyOtherPlaces onClick={close} />
      <SheetLink to={paths.search()} icon={Search} onClick={close}>
        {t('nav.search')}
      </SheetLink>
      {user && (
        <>
          <SheetLink to={paths.savedItems} icon={Bookmark} onClick={close}>
            {t('nav.savedItems')}
          </SheetLink>
          <SheetLink to={paths.settings} icon={Settings} onClick={close}>
            {t('nav.settings')}
          </SheetLink>
          {user.moderator && (
            <SheetLink to={paths.moderation} icon={ShieldCheck} onClick={close}>
              {t('nav.moderation')}
            </SheetLink>
          )}
          {user.stewardOf && (
            <SheetLink to={paths.schoolMembers} icon={BadgeCheck} onClick={close}>
              <LazySchoolRow />
            </SheetLink>
          )}
        </>
      )}
      <Divider />
      <SheetSetting icon={Globe} label={t('chooseLanguage')}>
        <Segmented
          label={t('chooseLanguage')}
          options={languageOptions}
          value={i18n.language as Language}
          onChange={chooseLanguage}
        />
      </SheetSetting>
      <SheetSetting icon={Moon} label={t('theme.title')}>
        <ThemeChoice />
      </SheetSetting>
      {user ? (
        <button
          type="button"
          className={row}
          onClick={() => {
            close();
            void signOut();
          }}
        >
          <LogOut className="icon text-muted-foreground" />
          {t('nav.logOut')}
        </button>
      ) : (
        <SheetLink to={paths.auth} icon={LogIn} onClick={close}>
          {t('nav.signIn')}
        </SheetLink>
      )}
    </BottomSheet>
  );
}

function OtherPlaces({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('commands');
  return otherPlaces.map(({ name, to, icon }) => (
    <SheetLink key={name} to={to} icon={icon} onClick={onClick}>
      {t(`places.${name}`)}
    </SheetLink>
  ));
}

function SheetLink({
  to,
  icon: Icon,
  onClick,
  children,
}: {
  to: string;
  icon: LucideIcon;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Link to={to} onClick={onClick} className={row}>
      <Icon className="icon text-muted-foreground" />
      {children}
    </Link>
  );
}

function SheetSetting({
  icon: Icon,
  label,
  children,
}: {
  icon: LucideIcon;
  label: string;
  children: ReactNode;
}) {
  return (
    <div className={`${row} flex-wrap justify-between gap-y-1`}>
      <span className="flex items-center gap-3.5" aria-hidden="true">
        <Icon className="icon text-muted-foreground" />
        {label}
      </span>
      {children}
    </div>
  );
}

function Divider() {
  return <div className="my-2 border-t" />;
}
