// Articles, resources, and how the sources do, as the gateway serves them, for tests.
import type { NewsArticle, NewsCopy, Resource, SourceStatus } from '@/api/types';

export function copyOf(source: string, sourceName: string, url: string): NewsCopy {
  return { source, sourceName, url };
}

/** A story that one source has, unless `changes` name more copies. */
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

/** A source that answered two hours ago and will be asked again in four. */
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
