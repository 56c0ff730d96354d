// The table of the kinds of notifications. Its order is that of the switches in the settings, group by group.
import type { Notification, NotificationKind, NotificationSettings } from '@/api/schema.gen';
import { paths } from '@/paths';

/** The groups of the switches in the settings, in their order. */
export const kindGroups = ['posts', 'comments', 'connections', 'communities', 'events', 'jobs'] as const;

export type KindGroup = (typeof kindGroups)[number];

type Subject = Pick<Notification, 'subject' | 'actors'>;

interface Kind {
  /** The page about it; null without one. `me` is the recipient; the service worker does not know it. */
  path: (notification: Subject, me: string | null) => string | null;
  /** The name of a deleted subject, below `nameless` in the texts. */
  nameless?: 'application' | 'community' | 'event' | 'posting' | 'skill';
  /** Shown in place of the picture of an actor: a kind without actors. */
  icon?: 'job' | 'account';
  /** The group of its switch; a kind without one cannot be switched off. */
  group?: KindGroup;
}

const toPost: Kind['path'] = ({ subject }) => paths.post(subject.id);
const toCommunity: Kind['path'] = ({ subject }) => paths.community(subject.id);
const toEvent: Kind['path'] = ({ subject }) => paths.event(subject.id);
const toAppeal: Kind['path'] = ({ subject }) => paths.appeal(subject.id);
const toComment: Kind['path'] = ({ subject }) => subject.postId && paths.comment(subject.postId, subject.id);
const toOwnProfile: Kind['path'] = (_, me) => me && paths.profile(me);

/** The compiler refuses a kind that is missing here, a switch without a group, and a group without a switch in the API. */
export const kinds = {
  post_liked: { group: 'posts', path: toPost },
  post_commented: { group: 'posts', path: toPost },
  post_reposted: { group: 'posts', path: toPost },
  comment_replied: { group: 'comments', path: toComment },
  comment_liked: { group: 'comments', path: toComment },
  mentioned: {
    group: 'comments',
    path: (notification, me) => toComment(notification, me) ?? toPost(notification, me),
  },
  connection_requested: { group: 'connections', path: () => paths.requests },
  connection_accepted: {
    group: 'connections',
    path: ({ actors: [by] }) => (by?.id ? paths.profile(by.id) : paths.network),
  },
  skill_endorsed: { group: 'connections', path: toOwnProfile, nameless: 'skill' },
  community_joined: { group: 'communities', path: toCommunity },
  community_join_requested: {
    group: 'communities',
    path: ({ subject }) => paths.communityManage(subject.id),
  },
  community_join_approved: { group: 'communities', path: toCommunity },
  community_invited: { group: 'communities', path: toCommunity },
  community_posted: { group: 'communities', path: toCommunity },
  event_attended: { group: 'events', path: toEvent, nameless: 'event' },
  event_changed: { group: 'events', path: toEvent, nameless: 'event' },
  // A cancelled event is gone.
  event_cancelled: { group: 'events', path: () => null, nameless: 'event' },
  application_due: { group: 'jobs', path: () => paths.applications, nameless: 'application', icon: 'job' },
  posting_closed: { group: 'jobs', path: () => paths.applications, nameless: 'posting', icon: 'job' },
  content_removed: { path: toAppeal, icon: 'account' },
  appeal_decided: { path: toAppeal, icon: 'account' },
  community_content_removed: { path: toCommunity, icon: 'account' },
  verified: { path: toOwnProfile, icon: 'account' },
  verification_ended: { path: toOwnProfile, icon: 'account' },
  security: { path: () => paths.sessions, icon: 'account' },
} as const satisfies {
  [Name in NotificationKind]: Kind &
    (Name extends keyof NotificationSettings ? { group: KindGroup } : { group?: undefined });
};

/** Undefined for a kind of a later version. */
export const kindOf = ({ kind }: Pick<Notification, 'kind'>): Kind | undefined => kinds[kind];

/** The kinds with a switch of a group. */
export const switchesOf = (group: KindGroup) =>
  (Object.keys(kinds) as NotificationKind[]).filter(
    (kind): kind is keyof NotificationSettings => kindOf({ kind })?.group === group,
  );

/** The kinds with a switch. */
export const switchable = kindGroups.flatMap(switchesOf);
