// Searches the built-in resources like the server searches its own.
import type { Resource } from '@/api/types';
import { builtInResources } from '@/features/resources/built-in';
import { fold } from '@/ui/folded';

/** The resources in which every word of the query is a prefix of a word in title or description. */
export function builtInFound(q: string): Resource[] {
  const wanted = wordsOf(q);
  if (wanted.length === 0) return [];
  return builtInResources.filter(({ title, description }) => {
    const said = wordsOf(`${title} ${description ?? ''}`);
    return wanted.every((word) => said.some((other) => other.startsWith(word)));
  });
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
