// Test data: search results as the gateway serves them.
import { HttpResponse, http } from 'msw';
import type { Person, SearchResults as SearchAnswer } from '@/api/schema.gen';
import { priya } from './posts';
import { server } from './server';

export function personOf(changes: Partial<Person> = {}): Person {
  return { ...priya, username: 'priya', location: 'Oakland', school: 'Eastbay Law', ...changes };
}

const nothing: SearchAnswer = {
  people: null,
  posts: null,
  communities: null,
  resources: null,
  jobs: null,
  news: null,
  terms: [],
};

export const answerOf = (changes: Partial<SearchAnswer>): SearchAnswer => ({ ...nothing, ...changes });

/** Sets the response of every search; returns the recorded queries. */
export function mockSearch(answer: Partial<SearchAnswer>, headers?: Record<string, string>) {
  const asked: Record<string, string>[] = [];
  server.use(
    http.get('/api/search', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json(answerOf(answer), { headers });
    }),
  );
  return asked;
}
