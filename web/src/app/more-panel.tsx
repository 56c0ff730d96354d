// The panel of the More button: the links that a narrower header has no room for, the other places, and the keyboard shortcuts.
import {
  BadgeCheck,
  Bookmark,
  Calendar,
  Hash,
  Keyboard,
  Landmark,
  type LucideIcon,
  Settings,
  ShieldCheck,
} from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { NavLink } from 'react-router';
import type { Me } from '@/api/session';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Popover } from '@/ui/popover';
import { bottomPlaces, headerPlaces } from './navigation';

interface MorePanelProps {
  user: Me;
  trigger: ReactElement;
  onShortcuts: () => void;
}

const row =
  'w-full items-center gap-3 rounded-md px-3 py-2.5 text-left text-ui font-medium -outline-offset-2 hover:bg-hover';

/** Needs the texts of `commands`. */
export function MorePanel({ user, trigger, onShortcuts }: MorePanelProps) {
  const { t } = useTranslation(['shell', 'commands']);
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  const places = [
    { to: paths.communities, icon: Landmark, label: t('commands:places.communities') },
    { to: paths.events, icon: Calendar, label: t('commands:places.events') },
    { to: paths.topics, icon: Hash, label: t('commands:places.topics') },
    { to: paths.savedItems, icon: Bookmark, label: t('shell:nav.savedItems') },
    { to: paths.settings, icon: Settings, label: t('shell:nav.settings') },
    ...(user.moderator
      ? [{ to: paths.moderation, icon: ShieldCheck, label: t('shell:nav.moderation') }]
      : []),
    ...(user.stewardOf
      ? [{ to: paths.schoolMembers, icon: BadgeCheck, label: t('commands:places.schoolMembers') }]
      : []),
  ];
  return (
    <Popover
      trigger={trigger}
      label={t('shell:nav.more')}
      className="w-60 p-1.5"
      open={open}
      onOpenChange={setOpen}
    >
      <nav aria-label={t('shell:nav.more')}>
        {headerPlaces(user)
          .filter((place) => !bottomPlaces(user).includes(place))
          .map(({ name, to, icon }) => (
            <PanelLink key={name} to={to} icon={icon} onClick={close} className="min-[68.75rem]:hidden">
              {t(`shell:nav.${name}`)}
            </PanelLink>
          ))}
        {places.map(({ to, icon, label }) => (
          <PanelLink key={to} to={to} icon={icon} onClick={close}>
            {label}
          </PanelLink>
        ))}
      </nav>
      <button
        type="button"
        aria-haspopup="dialog"
        className={`${row} flex cursor-pointer`}
        onClick={() => {
          close();
          onShortcuts();
        }}
      >
        <Keyboard className="icon-sm text-muted-foreground" />
        {t('commands:shortcuts.title')}
      </button>
    </Popover>
  );
}

interface PanelLinkProps {
  to: string;
  icon: LucideIcon;
  onClick: () => void;
  className?: string;
  children: string;
}

function PanelLink({ to, icon: Icon, onClick, className = '', children }: PanelLinkProps) {
  return (
    <NavLink
      to={to}
      caseSensitive
      onClick={onClick}
      className={`${row} flex aria-[current=page]:bg-selected ${className}`}
    >
      <Icon className="icon-sm text-muted-foreground" />
      {children}
    </NavLink>
  );
}
