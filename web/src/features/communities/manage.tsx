// The tab of owners and moderators: requests to join, invitations, banned members, the log, and for owners the end of the community.
import type { CommunityDetails } from '@/api/schema.gen';
import { Bans } from './bans';
import { Dissolve } from './dissolve';
import { Invitations } from './invitations';
import { JoinRequests } from './join-requests';
import { ModerationLog } from './moderation-log';

/** Needs the texts of `communities` and `manage`. */
export function Manage({ community }: { community: CommunityDetails }) {
  return (
    <div className="space-y-8">
      {community.joining === 'request' && <JoinRequests communityId={community.id} />}
      <Invitations community={community} />
      <Bans community={community} />
      <ModerationLog id={community.id} />
      {community.role === 'owner' && <Dissolve community={community} />}
    </div>
  );
}
