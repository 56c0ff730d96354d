// Cache updates of a skill: the profile takes the server's count, and the endorsers are refetched.
import type { QueryClient } from '@tanstack/react-query';
import { endorsementsQuery, profileQuery } from '@/api/queries';
import type { SkillEndorsements } from '@/api/schema.gen';

export function updateEndorsements(
  queryClient: QueryClient,
  memberId: string,
  endorsement: SkillEndorsements,
): Promise<unknown> {
  queryClient.setQueryData(
    profileQuery(memberId).queryKey,
    (view) =>
      view && {
        ...view,
        endorsements: view.endorsements.map((other) =>
          other.skill === endorsement.skill ? endorsement : other,
        ),
      },
  );
  return queryClient.invalidateQueries(endorsementsQuery(memberId, endorsement.skill));
}
