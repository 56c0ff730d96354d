// The server's error sentences in the language of the screen. The server writes English; the Filipino ones load with the first error.
import i18next from 'i18next';

type Translate = (sentence: string) => string;

/** The numbers of a sentence, which its key in the table has as `{n}`. */
const numbers = /\d+/g;

/** A sentence without a translation, and each one if the table cannot be loaded, remains as the server wrote it. */
export async function sentenceTranslator(): Promise<Translate> {
  if (i18next.language !== 'fil') return (sentence) => sentence;
  const known: Record<string, string> = await import('./server-sentences.json').then(
    (table) => table.default,
    () => ({}),
  );
  return (sentence) => known[sentence] ?? withNumbers(sentence, known[sentence.replace(numbers, '{n}')]);
}

/** The translation with the numbers of the sentence, in their order. */
function withNumbers(sentence: string, translation: string | undefined): string {
  const found = sentence.match(numbers) ?? [];
  return translation?.replaceAll('{n}', () => found.shift() ?? '') ?? sentence;
}
