// Receives the live events of the member's communities while a feed shows posts of all of them.
import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '@/api/pages';
import { communitiesQuery } from '@/api/queries';
import { useLiveTopic } from '@/live/interests';

/** The posts on screen need most of the interests of the stream. */
const maxCommunities = 20;

export function OwnCommunities() {
  const { data } = useInfiniteQuery(communitiesQuery);
  const own = itemsOf(data).filter(({ role }) => role !== null);
  return own.slice(0, maxCommunities).map(({ id }) => <CommunityTopic key={id} id={id} />);
}

function CommunityTopic({ id }: { id: string }) {
  useLiveTopic(`community ${id}`);
  return null;
}
