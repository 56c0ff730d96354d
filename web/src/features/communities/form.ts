// The community form: schema, initial values, and the request body.
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';
import type { CommunityDetails, CreateCommunity as NewCommunity, UpdateCommunity } from '@/api/schema.gen';
import { atMost } from '@/i18n/form-texts';

const limit = limits.CreateCommunity;
const text = (maximum: number) => z.string().check(z.trim(), atMost(maximum));

/** Public and open, on request or by invitation; a private community is joined by invitation. */
export const accesses = ['open', 'request', 'invitation', 'private'] as const;

export const communitySchema = z.object({
  access: z.enum(accesses),
  name: z.string().check(z.trim(), z.minLength(1, 'communities:form.nameMissing'), atMost(limit.name.max)),
  description: text(limit.description.max),
  rules: text(limit.rules.max),
});

export type CommunityForm = z.infer<typeof communitySchema>;

/** The texts in display order; the server uses the same names in `fields`. */
export const communityFields = ['name', 'description', 'rules'] as const satisfies (keyof CommunityForm)[];

export function formOf(community: CommunityDetails | null): CommunityForm {
  return {
    access: community?.visibility === 'private' ? 'private' : (community?.joining ?? 'open'),
    name: community?.name ?? '',
    description: community?.description ?? '',
    rules: community?.rules ?? '',
  };
}

/** Omits empty texts. */
export function newCommunity({ name, description, rules, access }: CommunityForm): NewCommunity {
  return {
    name,
    ...(description && { description }),
    ...(rules && { rules }),
    // Open is the default.
    ...(access !== 'open' && accessOf(access)),
  };
}

function accessOf(access: CommunityForm['access']): Pick<UpdateCommunity, 'visibility' | 'joining'> {
  return access === 'private'
    ? { visibility: 'private', joining: 'invitation' }
    : { visibility: 'public', joining: access };
}

/** Only changed fields; an empty text clears a field. */
export function changesOf(community: CommunityDetails, form: CommunityForm): UpdateCommunity {
  const before = formOf(community);
  const texts = communityFields.filter((name) => form[name] !== before[name]);
  return {
    ...Object.fromEntries(texts.map((name) => [name, form[name]])),
    ...(form.access !== before.access && accessOf(form.access)),
  };
}
