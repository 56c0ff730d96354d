// No text contains a word that the glossary (../locales/README.md) refuses in every sense.
import { expect, test } from 'vitest';
import sentences from './server-sentences.json';

const files = import.meta.glob<object>('../locales/*/*.json', { eager: true, import: 'default' });

const words = {
  en: [
    'sign off',
    'log on',
    'log in',
    'somebody',
    'anybody',
    'nobody',
    'whoever',
    'of this server',
    'of this site',
  ],
  fil: [
    'miyembro',
    'nagpapatakbo',
    'tagapagpatakbo',
    'kumusta',
    'reaksiyon',
    'litrato',
    'datos',
    'estudyante',
    'talaan',
    'alituntunin',
    'pinagkukunan',
    'endorso',
    'iniulat',
    'inilakip',
    'ulit',
    'naka-store',
    'walang ganoon',
    'trabahong legal',
    'page',
    'character',
  ],
};

/** A whole word, also with the Filipino ending of a linked one. 'paulit-ulit' and the name of a cache are other words. */
const refused = (language: 'en' | 'fil') =>
  new RegExp(`(?<![\\w-])(${words[language].join('|')})(ng|g|s)?(?![\\w-])`, 'i');

/** The texts of an object with their keys. */
function* texts(value: unknown, key: string): Generator<[key: string, text: string]> {
  if (typeof value === 'string') yield [key, value];
  else if (value && typeof value === 'object')
    for (const [name, part] of Object.entries(value)) yield* texts(part, `${key}.${name}`);
}

test.each(['en', 'fil'] as const)('no text in %s contains a refused word', (language) => {
  const pattern = refused(language);
  const found: string[] = [];
  let count = 0;
  const all = Object.entries(files).filter(([path]) => path.includes(`/${language}/`));
  const groups: [string, unknown][] =
    language === 'fil' ? [...all, ['sentences', Object.values(sentences)]] : all;
  for (const [path, file] of groups)
    for (const [key, text] of texts(file, path)) {
      count += 1;
      if (pattern.test(text)) found.push(`${key}: ${text}`);
    }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(2_000);
});
