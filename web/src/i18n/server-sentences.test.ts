// The table of error sentences contains and translates the sentences that the server writes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { startI18n } from './i18n';
import { sentenceTranslator } from './server-sentences';
import sentences from './server-sentences.json';

const services = ['auth', 'feed', 'jobs', 'messaging', 'news', 'profile', 'social-graph'];

/** A file, without comments and unit tests. */
function codeOf(file: string): string {
  const [code] = readFileSync(`../${file}`, 'utf8').split('#[cfg(test)]');
  return (code as string).replace(/^\s*\/\/.*$/gm, '');
}

/** All files of a folder that are not unit tests. */
function codeIn(folder: string): string {
  const files = readdirSync(`../${folder}`, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.rs') && !/(^|\/)tests(\.rs$|\/)/.test(name),
  );
  return files.map((name) => codeOf(`${folder}/${name}`)).join('\n');
}

/** The texts of a source that are sentences: names, codes and causes for the log do not begin like one. A value in it is `{n}`. */
function sentencesIn(source: string): string[] {
  return [...source.matchAll(/"([A-Z][^A-Z"_]* [^"]*)"/g)].map(([, text]) =>
    (text as string).replace(/\\\n\s*/g, '').replace(/\{[^}]*\}/g, '{n}'),
  );
}

/** For programs and operators: no screen sends a value outside a list, and the address of the page is not in question there. */
const notOnScreens = [
  'This must be one of: {n}.',
  'This is not the name of a picture.',
  'Portia answers to 127.0.0.1, localhost and [::1] only; PORTIA_PUBLIC_ORIGIN gives it another name.',
];

/** Numbers are written into the sentence, or stand in its key. */
const isTranslated = (sentence: string) =>
  sentence in sentences || sentence.replace(/\d+/g, '{n}') in sentences;

function expectTranslations(found: string[]): void {
  expect(found).not.toEqual([]);
  expect(found.filter((sentence) => !isTranslated(sentence) && !notOnScreens.includes(sentence))).toEqual([]);
}

test.for(services)('every error sentence of %s has a translation', (service) => {
  const written = [...codeOf(`services/${service}/src/error.rs`).matchAll(/#\[error\("([A-Z][^"]*)"\)\]/g)];
  expectTranslations(written.map(([, sentence]) => sentence as string));
});

test('every sentence about a field has a translation', () => {
  for (const service of services) {
    const folder = existsSync(`../services/${service}/src/convert`);
    expectTranslations(sentencesIn(codeOf(`services/${service}/src/convert.rs`)));
    if (folder) expectTranslations(sentencesIn(codeIn(`services/${service}/src/convert`)));
  }
  expectTranslations(sentencesIn(codeIn('services/lib/primitives/src')));
});

test('every sentence of the gateway has a translation', () => {
  const problems = [...codeIn('gateway/src').matchAll(/Problem::\w+\(([^)]*)\)/g)];
  expectTranslations(problems.flatMap(([, values]) => sentencesIn(values as string)));
  expectTranslations(sentencesIn(codeOf('gateway/src/edge/problem.rs')));
});

test('a translation keeps the numbers of the sentence, in their order', async () => {
  startI18n();
  await i18next.changeLanguage('fil');
  const translate = await sentenceTranslator();
  expect(translate('Post not found')).toBe('Hindi nahanap ang post');
  expect(translate('Enter a year from 1950 to 2036.')).toBe('Maglagay ng taon mula 1950 hanggang 2036.');
  expect(translate('A sentence of 2 parts that no table has')).toBe(
    'A sentence of 2 parts that no table has',
  );

  await i18next.changeLanguage('en');
  const keep = await sentenceTranslator();
  expect(keep('Post not found')).toBe('Post not found');
});
