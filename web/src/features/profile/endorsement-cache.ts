// Cache updates of a skill: the profile takes the server's count, and the endorsers are refetched.
import type { QueryClient } from '@tanstack/react-query';
import { endorsementsQuery, profileQuery } from '@/api/queries';
import type { SkillEndorsements } from '@/api/types';

export function showStanding(
  queryClient: QueryClient,
  memberId: string,
  standing: SkillEndorsements,
): Promise<unknown> {
  queryClient.setQueryData(
    profileQuery(memberId).queryKey,
    (view) =>
      view && {
        ...view,
        endorsements: view.endorsements.map((other) => (other.skill === standing.skill ? standing : other)),
      },
  );
  return queryClient.invalidateQueries(endorsementsQuery(memberId, standing.skill));
}
