// The navigation places in order, for the header, the bottom bar and the More sheet.
import {
  BookOpen,
  Briefcase,
  House,
  type LucideIcon,
  MessageSquare,
  Newspaper,
  User as Person,
  Users,
} from 'lucide-react';
import type { User } from '@/api/schema.gen';
import { paths } from '@/paths';

type Name = 'home' | 'network' | 'jobs' | 'news' | 'messages' | 'resources' | 'myProfile';

export interface Place {
  name: Name;
  to: string;
  icon: LucideIcon;
}

const home: Place = { name: 'home', to: paths.home, icon: House };
const network: Place = { name: 'network', to: paths.network, icon: Users };
const jobs: Place = { name: 'jobs', to: paths.jobs, icon: Briefcase };
const news: Place = { name: 'news', to: paths.news, icon: Newspaper };
const messages: Place = { name: 'messages', to: paths.messages, icon: MessageSquare };
const resources: Place = { name: 'resources', to: paths.resources, icon: BookOpen };

export function headerPlaces(user: User | null): Place[] {
  const places = [home, network, jobs, news, messages, resources];
  return user ? [...places, { name: 'myProfile', to: paths.profile(user.id), icon: Person }] : places;
}

export const bottomPlaces = (user: User | null): Place[] =>
  user ? [home, network, jobs, messages] : [home, jobs, news, resources];

/** The places without a cell in the bottom bar. */
export const morePlaces = (user: User | null): Place[] => (user ? [news, resources] : [network, messages]);

/** Whether the More sheet leads to the screen: not to the sign-in, to a single post or to an unknown address. */
export function isInMore(user: User | null, pathname: string): boolean {
  const { communities, events, topics, savedItems, settings, moderation, schoolMembers } = paths;
  const own = user ? [paths.profile(user.id), savedItems, settings, moderation, schoolMembers] : [];
  const places = [
    ...morePlaces(user).map(({ to }) => to),
    communities,
    events,
    topics,
    paths.search(),
    ...own,
  ];
  return places.some((to) => pathname === to || pathname.startsWith(`${to}/`));
}

/** An open thread, for `useMatch`: it has no bottom bar. */
export const threadPattern = { path: '/messages/:id', caseSensitive: true };

/** The id of the header controls; the notifications popover aligns with their edge. */
export const headerEnd = 'header-end';
