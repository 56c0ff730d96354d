// The target of a notification, and the queries to refetch there: the cache may be older than the notification.
import type { QueryKey } from '@tanstack/react-query';
import { passkeysQuery } from '@/api/passkeys';
import {
  applicationQuery,
  applicationsQuery,
  communityQuery,
  connectionsQuery,
  endorsementsQuery,
  eventQuery,
  ownInvitationsQuery,
  postQuery,
  profileQuery,
  sessionsQuery,
  trustedBrowsersQuery,
} from '@/api/queries';
import type { Notification } from '@/api/schema.gen';
import { kindOf } from './kinds';

interface Destination {
  path: string;
  /** The query keys of the changed data. */
  changed: QueryKey[];
  /** The target takes the focus itself. */
  takesFocus?: boolean;
}

/** Null if there is no target. `me` is the recipient. */
export function destination(notification: Notification, me: string): Destination | null {
  const path = kindOf(notification)?.path(notification, me);
  if (!path) return null;
  return { path, changed: changed(notification, me), takesFocus: notification.kind === 'security' };
}

function changed({ kind, subject }: Notification, me: string): QueryKey[] {
  switch (kind) {
    case 'post_liked':
    case 'post_commented':
    case 'post_reposted':
    case 'comment_replied':
    case 'comment_liked':
    case 'mentioned':
      return [postQuery(subject.postId ?? subject.id).queryKey];
    case 'connection_requested':
      return [['/api/connections']];
    case 'connection_accepted':
      return [['/api/connections'], connectionsQuery(me).queryKey];
    case 'skill_endorsed':
      return [
        profileQuery(me).queryKey,
        ...(subject.name ? [endorsementsQuery(me, subject.name).queryKey] : []),
      ];
    case 'community_content_removed':
    case 'community_join_approved':
    case 'community_join_requested':
    case 'community_joined':
      return [communityQuery(subject.id).queryKey];
    case 'community_invited':
      return [communityQuery(subject.id).queryKey, ownInvitationsQuery.queryKey];
    case 'community_posted':
      return [['/api/posts', { communityId: subject.id }]];
    case 'event_attended':
    case 'event_changed':
      return [eventQuery(subject.id).queryKey];
    case 'posting_closed':
    case 'application_due':
      return [applicationsQuery.queryKey, applicationQuery(subject.id).queryKey];
    case 'verified':
    case 'verification_ended':
      return [profileQuery(me).queryKey];
    case 'security':
      return [sessionsQuery.queryKey, trustedBrowsersQuery.queryKey, passkeysQuery.queryKey];
    case 'content_removed':
    case 'appeal_decided':
      return [['/api/appeals', subject.id]];
    default:
      return [];
  }
}
