// The tab of owners and moderators: banned members, the log, and for owners the end of the community.
import type { CommunityDetails } from '@/api/types';
import { Bans } from './bans';
import { Dissolve } from './dissolve';
import { ModerationLog } from './moderation-log';

/** Needs the texts of `communities` and `manage`. */
export function Manage({ community }: { community: CommunityDetails }) {
  return (
    <div className="space-y-8">
      <Bans community={community} />
      <ModerationLog id={community.id} />
      {community.role === 'owner' && <Dissolve community={community} />}
    </div>
  );
}
