// Reads the texts of a feature in one language. In a build vite-texts.ts replaces this module and writes the files it requests.
import type { Language } from './i18n';
import type { Texts } from './texts';

const files = import.meta.glob<object>('../locales/*/*.json', { import: 'default' });

export async function readTexts(language: Language, feature: keyof Texts): Promise<object> {
  const read = files[`../locales/${language}/${feature}.json`];
  if (!read) throw new Error(`There are no texts ${language}/${feature}`);
  return read();
}
