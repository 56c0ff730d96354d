// The law schools of law-schools.json, and the search in them.

export interface School {
  name: string;
  /** Abbreviations by which it is found. */
  alias?: string;
}

const shownAtMost = 8;

/** Loads the schools of the Philippines, then of the United States, once. */
export const loadSchools = async (): Promise<School[]> => {
  const { ph, us } = (await import('./law-schools.json')).default;
  return [...ph, ...us];
};

/** In lower case without accents and punctuation. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const wordsOf = (text: string) => plain(text).split(' ').filter(Boolean);

/**
 * The schools in which every word of the query is the beginning of a word; first those found by an abbreviation, then those whose
 * name begins with the query.
 */
export function matchingSchools(schools: School[], query: string): string[] {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return [];
  const found = schools.filter(({ name, alias = '' }) => {
    const words = wordsOf(`${name} ${alias}`);
    return wanted.every((word) => words.some((known) => known.startsWith(word)));
  });
  const isAbbreviated = ({ alias = '' }: School) => wordsOf(alias).includes(wanted[0] ?? '');
  const beginning = wanted.join(' ');
  const rank = (school: School) =>
    isAbbreviated(school) ? 0 : plain(school.name).startsWith(beginning) ? 1 : 2;
  const ranked = found.toSorted((one, other) => rank(one) - rank(other));
  return ranked.slice(0, shownAtMost).map(({ name }) => name);
}
