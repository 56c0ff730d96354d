// The options below the search box: a few suggestions of every kind, and all results at the end.
import type { SearchResults, SearchType } from '@/api/schema.gen';
import { paths } from '@/paths';

export interface SearchSuggestion {
  /** Unique per entity; also used to build the address of the option. */
  key: string;
  title: string;
  /** A second line. */
  about: string | null;
  to: string;
  /** The picture of a member. */
  person?: { id: string; fullName: string; avatarUrl: string | null };
}

export interface SuggestionGroup {
  kind: SearchType;
  options: SearchSuggestion[];
}

/** The maximum length of a post's excerpt, in characters. */
const excerpt = 90;

const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ') || null;

/** The groups that are not empty, in the order of the tabs. */
export function groupsOf(answer: SearchResults): SuggestionGroup[] {
  const { people, posts, communities, resources, jobs, news } = answer;
  const groups: SuggestionGroup[] = [
    {
      kind: 'people',
      options: (people ?? []).map((person) => ({
        key: person.id,
        title: person.fullName,
        about: person.headline ?? join(person.school, person.location),
        to: paths.profile(person.id),
        person,
      })),
    },
    {
      kind: 'posts',
      options: (posts ?? []).map(({ id, title, content, user }) => ({
        key: id,
        title: title ?? [...content].slice(0, excerpt).join(''),
        about: user.fullName,
        to: paths.post(id),
      })),
    },
    {
      kind: 'communities',
      options: (communities ?? []).map(({ id, name, description }) => ({
        key: id,
        title: name,
        about: description,
        to: paths.community(id),
      })),
    },
    {
      kind: 'resources',
      options: (resources ?? []).map(({ id, title, description }) => ({
        key: id,
        title,
        about: description,
        to: paths.resource(id),
      })),
    },
    {
      kind: 'jobs',
      options: (jobs ?? []).map(({ id, title, company, location }) => ({
        key: id,
        title,
        about: join(company, location),
        to: paths.job(id),
      })),
    },
    {
      kind: 'news',
      options: (news ?? []).map(({ id, title, sourceName }) => ({
        key: id,
        title,
        about: sourceName,
        to: paths.article(id),
      })),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}
