// What the form of a community accepts, what it begins with, and what is sent of it.
import * as z from 'zod/mini';
import type { CommunityDetails, NewCommunity } from '@/api/types';
import { atMost } from '@/i18n/form-texts';

const text = (maximum: number) => z.string().check(z.trim(), atMost(maximum));

export const communitySchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'communities:form.nameMissing'), atMost(100)),
  description: text(500),
  rules: text(5_000),
});

export type CommunityForm = z.infer<typeof communitySchema>;

/** In the order they are shown; the server names its `fields` the same. */
export const communityFields = ['name', 'description', 'rules'] as const satisfies (keyof CommunityForm)[];

export function formOf(community: CommunityDetails | null): CommunityForm {
  return {
    name: community?.name ?? '',
    description: community?.description ?? '',
    rules: community?.rules ?? '',
  };
}

/** Empty texts are left out. */
export function newCommunity({ name, description, rules }: CommunityForm): NewCommunity {
  return { name, ...(description && { description }), ...(rules && { rules }) };
}

/** Only what was changed; an empty text clears. */
export function changesOf(community: CommunityDetails, form: CommunityForm): Partial<NewCommunity> {
  const before = formOf(community);
  return Object.fromEntries(
    communityFields.filter((name) => form[name] !== before[name]).map((name) => [name, form[name]]),
  );
}
