// The suggestion form: schema, initial values, and the request body.
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';
import type { SuggestResource as NewResource } from '@/api/schema.gen';
import { atMost } from '@/i18n/form-texts';
import { webAddress } from '@/web-address';
import { resourceKinds } from './kind';

export const suggestionSchema = z.object({
  title: z
    .string()
    .check(z.trim(), z.minLength(1, 'resources:form.titleMissing'), atMost(limits.SuggestResource.title.max)),
  url: z.string().check(
    z.trim(),
    z.minLength(1, 'resources:form.urlMissing'),
    z.refine((url) => url === '' || webAddress(url) !== null, { error: 'resources:form.urlInvalid' }),
  ),
  type: z.enum(resourceKinds),
  description: z.string().check(z.trim(), atMost(limits.SuggestResource.description.max)),
});

export type SuggestionForm = z.infer<typeof suggestionSchema>;

/** In display order; the server uses the same names in `fields`. */
export const suggestionFields = [
  'title',
  'url',
  'type',
  'description',
] as const satisfies (keyof SuggestionForm)[];

export const emptySuggestion: SuggestionForm = { title: '', url: '', type: 'article', description: '' };

/** Omits an empty description. */
export function newResource({ description, ...resource }: SuggestionForm): NewResource {
  return { ...resource, ...(description && { description }) };
}
