// No text contains a word that the glossary (../locales/README.md) refuses in every sense.
import { expect, test } from 'vitest';
import sentences from './server-sentences.json';

const files = import.meta.glob<object>('../locales/*/*.json', { eager: true, import: 'default' });

const refused = {
  en: /\b(sign off|log on|log in|somebody|anybody|nobody|of this (server|site)|whoever)\b/i,
  fil: /\b(miyembro\w*|nagpapatakbo|tagapagpatakbo|kumusta|reaksiyon\w*|litrato\w*|datos|estudyante|talaan|alituntunin|pinagkukunan\w*|endorso|iniulat|inilakip|(?<!-)ulit|naka-store|walang ganoong|trabahong legal|(?<!-)page|character)\b/i,
};

/** The texts of an object with their keys. */
function* texts(value: unknown, key: string): Generator<[key: string, text: string]> {
  if (typeof value === 'string') yield [key, value];
  else if (value && typeof value === 'object')
    for (const [name, part] of Object.entries(value)) yield* texts(part, `${key}.${name}`);
}

test.each(['en', 'fil'] as const)('no text in %s contains a refused word', (language) => {
  const found: string[] = [];
  let count = 0;
  const all = Object.entries(files).filter(([path]) => path.includes(`/${language}/`));
  const groups: [string, unknown][] =
    language === 'fil' ? [...all, ['sentences', Object.values(sentences)]] : all;
  for (const [path, file] of groups)
    for (const [key, text] of texts(file, path)) {
      count += 1;
      if (refused[language].test(text)) found.push(`${key}: ${text}`);
    }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(2_000);
});
