// The screens that the palette offers: all for a member; for a visitor only screens that need no session.
import {
  Activity,
  BadgeCheck,
  BellIcon,
  Bookmark,
  BookOpen,
  Briefcase,
  Calendar,
  Copyright,
  FileText,
  Hash,
  House,
  Info,
  Landmark,
  LogIn,
  type LucideIcon,
  MessageSquare,
  Newspaper,
  Palette,
  User as Person,
  Rss,
  Search,
  Settings,
  Shield,
  ShieldCheck,
  UserPlus,
  Users,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Me } from '@/api/session';
import { useTranslation } from '@/i18n/use-translation';
import { paths, searchFieldFocused } from '@/paths';
import type { Command } from './command';

interface Place {
  label: string;
  to: string;
  icon: LucideIcon;
  for?: 'members' | 'visitors';
}

export function usePlaces(user: Me | null): Command[] {
  const { t } = useTranslation(['commands', 'shell']);
  const navigate = useNavigate();
  const places: Place[] = [
    { label: t('shell:nav.home'), to: paths.home, icon: House },
    { label: t('shell:nav.network'), to: paths.network, icon: Users, for: 'members' },
    { label: t('places.requests'), to: paths.requests, icon: UserPlus, for: 'members' },
    { label: t('shell:nav.jobs'), to: paths.jobs, icon: Briefcase },
    { label: t('places.applications'), to: paths.applications, icon: FileText, for: 'members' },
    { label: t('shell:nav.news'), to: paths.news, icon: Newspaper },
    { label: t('shell:nav.messages'), to: paths.messages, icon: MessageSquare, for: 'members' },
    { label: t('shell:nav.resources'), to: paths.resources, icon: BookOpen },
    { label: t('places.communities'), to: paths.communities, icon: Landmark },
    { label: t('places.topics'), to: paths.topics, icon: Hash },
    { label: t('places.events'), to: paths.events, icon: Calendar },
    { label: t('shell:nav.search'), to: paths.search(), icon: Search },
    ...(user ? [{ label: t('shell:nav.myProfile'), to: paths.profile(user.id), icon: Person }] : []),
    { label: t('shell:notifications.title'), to: paths.notifications, icon: BellIcon, for: 'members' },
    { label: t('shell:nav.savedItems'), to: paths.savedItems, icon: Bookmark, for: 'members' },
    { label: t('shell:nav.settings'), to: paths.settings, icon: Settings, for: 'members' },
    { label: t('places.privacySettings'), to: paths.privacySettings, icon: Shield, for: 'members' },
    { label: t('places.feedSettings'), to: paths.feedSettings, icon: Rss, for: 'members' },
    ...(user?.moderator
      ? [{ label: t('shell:nav.moderation'), to: paths.moderation, icon: ShieldCheck }]
      : []),
    ...(user?.stewardOf
      ? [{ label: t('places.schoolMembers'), to: paths.schoolMembers, icon: BadgeCheck }]
      : []),
    { label: t('shell:nav.signIn'), to: paths.auth, icon: LogIn, for: 'visitors' },
    { label: t('shell:nav.register'), to: paths.register, icon: UserPlus, for: 'visitors' },
    { label: t('shell:footer.about'), to: paths.about, icon: Info },
    { label: t('shell:footer.privacy'), to: paths.privacy, icon: Shield },
    { label: t('shell:footer.terms'), to: paths.terms, icon: FileText },
    { label: t('shell:footer.cookies'), to: paths.cookies, icon: FileText },
    { label: t('shell:footer.copyright'), to: paths.copyright, icon: Copyright },
    { label: t('shell:footer.brand'), to: paths.brand, icon: Palette },
    { label: t('shell:footer.status'), to: paths.status, icon: Activity },
  ];
  const viewer = user ? 'members' : 'visitors';
  return places
    .filter((place) => !place.for || place.for === viewer)
    .map(({ label, to, icon }) => ({
      key: to,
      label,
      icon,
      run: () => void navigate(to, to === paths.search() ? searchFieldFocused : {}),
    }));
}
