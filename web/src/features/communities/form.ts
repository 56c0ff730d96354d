// The community form: schema, initial values, and the request body.
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';
import type { CommunityDetails, NewCommunity } from '@/api/types';
import { atMost } from '@/i18n/form-texts';

const limit = limits.CreateCommunity;
const text = (maximum: number) => z.string().check(z.trim(), atMost(maximum));

export const communitySchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'communities:form.nameMissing'), atMost(limit.name.max)),
  description: text(limit.description.max),
  rules: text(limit.rules.max),
});

export type CommunityForm = z.infer<typeof communitySchema>;

/** In display order; the server uses the same names in `fields`. */
export const communityFields = ['name', 'description', 'rules'] as const satisfies (keyof CommunityForm)[];

export function formOf(community: CommunityDetails | null): CommunityForm {
  return {
    name: community?.name ?? '',
    description: community?.description ?? '',
    rules: community?.rules ?? '',
  };
}

/** Omits empty texts. */
export function newCommunity({ name, description, rules }: CommunityForm): NewCommunity {
  return { name, ...(description && { description }), ...(rules && { rules }) };
}

/** Only changed fields; an empty text clears a field. */
export function changesOf(community: CommunityDetails, form: CommunityForm): Partial<NewCommunity> {
  const before = formOf(community);
  return Object.fromEntries(
    communityFields.filter((name) => form[name] !== before[name]).map((name) => [name, form[name]]),
  );
}
