// The copies of an article cluster, the displayed one first.
import type { NewsArticle, NewsCopy } from '@/api/schema.gen';

/** The article's own copy, then the others as served: earliest first. */
export function copiesOf({ source, sourceName, url, copies }: NewsArticle): NewsCopy[] {
  return [{ source, sourceName, url }, ...copies.filter((copy) => copy.url !== url)];
}

/** The distinct names of all sources of the article. */
export function sourceNames(article: NewsArticle): string[] {
  return [...new Set(copiesOf(article).map(({ sourceName }) => sourceName))];
}
