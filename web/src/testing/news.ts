// Test data: articles, resources, and source status as the gateway serves them.
import type { NewsArticle, NewsCopy, Resource, SourceStatus } from '@/api/schema.gen';

export function copyOf(source: string, sourceName: string, url: string): NewsCopy {
  return { source, sourceName, url };
}

/** An article of one source, unless `changes` contain more copies. */
export function articleOf(title: string, changes: Partial<NewsArticle> = {}): NewsArticle {
  const article = {
    id: title,
    title,
    description: null,
    author: null,
    url: 'https://news.example/story',
    source: 'aba',
    sourceName: 'ABA',
    publishedAt: '2026-11-18T12:00:00Z',
    isDemo: false,
    ...changes,
  };
  const { source, sourceName, url } = article;
  return { copies: [copyOf(source, sourceName, url)], ...article };
}

export function resourceOf(title: string, changes: Partial<Resource> = {}): Resource {
  return { id: title, title, description: null, url: null, type: 'guide', ...changes };
}

/** A source with a success two hours ago and the next visit in four hours. */
export function sourceOf(name: string, changes: Partial<SourceStatus> = {}): SourceStatus {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  return {
    name,
    connector: 'rss',
    state: 'healthy',
    lastRunAt: hours(-2),
    lastSuccessAt: hours(-2),
    newItems: 3,
    failure: null,
    dueAt: hours(4),
    ...changes,
  };
}
