// What the suggestions under the search box are, in one line of options: a few of every kind, and all results at the end.
import type { SearchAnswer, SearchKind } from '@/api/types';
import { paths } from '@/paths';

export interface Suggested {
  /** The same for the same thing, and what the address of the option is made of. */
  key: string;
  title: string;
  /** A second line. */
  about: string | null;
  to: string;
  /** A member's picture. */
  person?: { id: string; fullName: string; avatarUrl: string | null };
}

export interface SuggestedGroup {
  kind: SearchKind;
  options: Suggested[];
}

/** So many characters of a post stand for it. */
const excerpt = 90;

const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ') || null;

/** The groups that have something in them, in the order of the tabs. */
export function groupsOf(answer: SearchAnswer): SuggestedGroup[] {
  const { people, posts, communities, resources, jobs, news } = answer;
  const groups: SuggestedGroup[] = [
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
