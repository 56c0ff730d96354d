// One story from several sources: every copy of it, the one that is shown first.
import type { NewsArticle, NewsCopy } from '@/api/types';

/** The article's own copy, then the others as served: the earliest first. */
export function copiesOf({ source, sourceName, url, copies }: NewsArticle): NewsCopy[] {
  return [{ source, sourceName, url }, ...copies.filter((copy) => copy.url !== url)];
}

/** The name of every source that has the story, each once. */
export function sourceNames(article: NewsArticle): string[] {
  return [...new Set(copiesOf(article).map(({ sourceName }) => sourceName))];
}
