// What the form of a suggestion accepts, what it begins with, and what is sent of it.
import * as z from 'zod/mini';
import type { NewResource } from '@/api/types';
import { atMost } from '@/i18n/form-texts';
import { webAddress } from '@/web-address';
import { resourceKinds } from './kind';

export const suggestionSchema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, 'resources:form.titleMissing'), atMost(200)),
  url: z.string().check(
    z.trim(),
    z.minLength(1, 'resources:form.urlMissing'),
    z.refine((url) => url === '' || webAddress(url) !== null, { error: 'resources:form.urlInvalid' }),
  ),
  type: z.enum(resourceKinds),
  description: z.string().check(z.trim(), atMost(2_000)),
});

export type SuggestionForm = z.infer<typeof suggestionSchema>;

/** In the order they are shown; the server names its `fields` the same. */
export const suggestionFields = [
  'title',
  'url',
  'type',
  'description',
] as const satisfies (keyof SuggestionForm)[];

export const emptySuggestion: SuggestionForm = { title: '', url: '', type: 'article', description: '' };

/** An empty description is left out. */
export function newResource({ description, ...resource }: SuggestionForm): NewResource {
  return { ...resource, ...(description && { description }) };
}
