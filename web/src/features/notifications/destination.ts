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
import { paths } from '@/paths';

interface Destination {
  path: string;
  /** The query keys of the changed data. */
  changed: QueryKey[];
  /** The target takes the focus itself. */
  takesFocus?: boolean;
}

/** Null if there is no target: a cancelled event is gone. `me` is the recipient. */
export function destination({ kind, subject, actors }: Notification, me: string): Destination | null {
  switch (kind) {
    case 'post_liked':
    case 'post_commented':
    case 'post_reposted':
      return { path: paths.post(subject.id), changed: [postQuery(subject.id).queryKey] };
    case 'comment_replied':
    case 'comment_liked':
      if (!subject.postId) return null;
      return {
        path: paths.comment(subject.postId, subject.id),
        changed: [postQuery(subject.postId).queryKey],
      };
    case 'mentioned':
      return {
        path: subject.postId ? paths.comment(subject.postId, subject.id) : paths.post(subject.id),
        changed: [postQuery(subject.postId ?? subject.id).queryKey],
      };
    case 'connection_requested':
      return { path: paths.requests, changed: [['/api/connections']] };
    case 'connection_accepted': {
      const by = actors[0]?.id;
      const changed = [['/api/connections'], connectionsQuery(me).queryKey];
      return { path: by ? paths.profile(by) : paths.network, changed };
    }
    case 'skill_endorsed':
      return {
        path: paths.profile(me),
        changed: [
          profileQuery(me).queryKey,
          ...(subject.name ? [endorsementsQuery(me, subject.name).queryKey] : []),
        ],
      };
    case 'community_content_removed':
    case 'community_join_approved':
    case 'community_joined':
      return { path: paths.community(subject.id), changed: [communityQuery(subject.id).queryKey] };
    case 'community_invited':
      return {
        path: paths.community(subject.id),
        changed: [communityQuery(subject.id).queryKey, ownInvitationsQuery.queryKey],
      };
    case 'community_join_requested':
      return { path: paths.communityManage(subject.id), changed: [communityQuery(subject.id).queryKey] };
    case 'community_posted':
      return {
        path: paths.community(subject.id),
        changed: [['/api/posts', { communityId: subject.id }]],
      };
    case 'event_attended':
    case 'event_changed':
      return { path: paths.event(subject.id), changed: [eventQuery(subject.id).queryKey] };
    case 'posting_closed':
    case 'application_due':
      return {
        path: paths.applications,
        changed: [applicationsQuery.queryKey, applicationQuery(subject.id).queryKey],
      };
    case 'verified':
    case 'verification_ended':
      return { path: paths.profile(me), changed: [profileQuery(me).queryKey] };
    case 'security':
      return {
        path: paths.security,
        changed: [sessionsQuery.queryKey, trustedBrowsersQuery.queryKey, passkeysQuery.queryKey],
        takesFocus: true,
      };
    case 'content_removed':
    case 'appeal_decided':
      return { path: paths.appeal(subject.id), changed: [['/api/appeals', subject.id]] };
    case 'event_cancelled':
      return null;
    default:
      // A kind of a later version. The compiler refuses one that has no case here.
      kind satisfies never;
      return null;
  }
}
