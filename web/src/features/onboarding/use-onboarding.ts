// The onboarding of the signed-in member, part of the own profile, and its changes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { profileQuery } from '@/api/queries';
import type { Onboarding, OnboardingStep, User } from '@/api/schema.gen';

/** The number of people and of communities that a new member is asked for. */
export const peopleWanted = 3;
export const communitiesWanted = 2;

type Change = { step: OnboardingStep; state: 'done' | 'skipped' } | { dismissed: boolean };

export function useOnboarding({ id }: User) {
  const query = useQuery(profileQuery(id));
  return { ...query, onboarding: query.data?.onboarding };
}

/** The response replaces the onboarding in the cached profile, so that the checklist follows. */
export function useChangeOnboarding({ id }: User) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      read(api.PATCH('/api/users/{id}/onboarding', { params: { path: { id } }, body: change })),
    onSuccess: (onboarding) =>
      queryClient.setQueryData(profileQuery(id).queryKey, (view) => view && { ...view, onboarding }),
  });
}

export const isDone = ({ items }: Onboarding) => items.every(({ state }) => state === 'done');

/** The first step that is neither done nor skipped, after a given one in a circle; null without any. */
export function nextOpenStep({ items }: Onboarding, after?: OnboardingStep): OnboardingStep | null {
  const at = items.findIndex(({ step }) => step === after) + 1;
  return [...items.slice(at), ...items.slice(0, at)].find(({ state }) => state === 'open')?.step ?? null;
}

/** The first open step, else the first skipped one. */
export function nextStep(onboarding: Onboarding): OnboardingStep | null {
  const skipped = onboarding.items.find(({ state }) => state === 'skipped');
  return nextOpenStep(onboarding) ?? skipped?.step ?? null;
}
