// This table describes each kind of notification. The settings list the switches in its order.
import type { Notification, NotificationKind, NotificationSettings } from '@/api/schema.gen';
import { paths } from '@/paths';

type Subject = Pick<Notification, 'subject' | 'actors'>;

interface Kind {
  /** The page about it; null without one. `me` is the recipient; the service worker does not know it. */
  path: (notification: Subject, me: string | null) => string | null;
  /** The name of a deleted subject, below `nameless` in the texts. */
  nameless?: 'application' | 'community' | 'event' | 'posting' | 'skill';
  /** Shown in place of the picture of an actor: a kind without actors. */
  icon?: 'job' | 'account';
  /** Members have no switch for it. */
  hasNoSwitch?: true;
}

const toPost: Kind['path'] = ({ subject }) => paths.post(subject.id);
const toCommunity: Kind['path'] = ({ subject }) => paths.community(subject.id);
const toEvent: Kind['path'] = ({ subject }) => paths.event(subject.id);
const toAppeal: Kind['path'] = ({ subject }) => paths.appeal(subject.id);
const toComment: Kind['path'] = ({ subject }) => subject.postId && paths.comment(subject.postId, subject.id);
const toOwnProfile: Kind['path'] = (_, me) => me && paths.profile(me);

/** The compiler refuses a kind that is missing here, or whose switch the API does not have. */
export const kinds = {
  post_liked: { path: toPost },
  post_commented: { path: toPost },
  comment_replied: { path: toComment },
  comment_liked: { path: toComment },
  mentioned: { path: (notification, me) => toComment(notification, me) ?? toPost(notification, me) },
  post_reposted: { path: toPost },
  connection_requested: { path: () => paths.requests },
  connection_accepted: {
    path: ({ actors: [by] }) => (by?.id ? paths.profile(by.id) : paths.network),
  },
  skill_endorsed: { path: toOwnProfile, nameless: 'skill' },
  community_joined: { path: toCommunity },
  community_join_requested: { path: ({ subject }) => paths.communityManage(subject.id) },
  community_join_approved: { path: toCommunity },
  community_invited: { path: toCommunity },
  community_posted: { path: toCommunity },
  event_attended: { path: toEvent, nameless: 'event' },
  event_changed: { path: toEvent, nameless: 'event' },
  // A cancelled event is gone.
  event_cancelled: { path: () => null, nameless: 'event' },
  application_due: { path: () => paths.applications, nameless: 'application', icon: 'job' },
  posting_closed: { path: () => paths.applications, nameless: 'posting', icon: 'job' },
  content_removed: { path: toAppeal, icon: 'account', hasNoSwitch: true },
  appeal_decided: { path: toAppeal, icon: 'account', hasNoSwitch: true },
  community_content_removed: { path: toCommunity, icon: 'account', hasNoSwitch: true },
  verified: { path: toOwnProfile, icon: 'account', hasNoSwitch: true },
  verification_ended: { path: toOwnProfile, icon: 'account', hasNoSwitch: true },
  security: { path: () => paths.security, icon: 'account', hasNoSwitch: true },
} as const satisfies {
  [Name in NotificationKind]: Kind & {
    hasNoSwitch?: Name extends keyof NotificationSettings ? undefined : true;
  };
};

/** Undefined for a kind of a later version. */
export const kindOf = ({ kind }: Pick<Notification, 'kind'>): Kind | undefined => kinds[kind];

/** The kinds with a switch. */
export const switchable = (Object.keys(kinds) as NotificationKind[]).filter(
  (kind): kind is keyof NotificationSettings => !('hasNoSwitch' in kinds[kind]),
);
