// Which commands match a text.
import { expect, test } from 'vitest';
import { matching } from './command';

const commands = ['My saved items', 'Mga Komunidad', 'Résumé', 'Theme: Dark'].map((label) => ({
  key: label,
  label,
  run: () => undefined,
}));
const found = (text: string) => matching(commands, text).map(({ label }) => label);

test.each([
  ['', ['My saved items', 'Mga Komunidad', 'Résumé', 'Theme: Dark']],
  ['  ', ['My saved items', 'Mga Komunidad', 'Résumé', 'Theme: Dark']],
  ['m', ['My saved items', 'Mga Komunidad']],
  ['SAVED my', ['My saved items']],
  ['resume', ['Résumé']],
  ['dark theme', ['Theme: Dark']],
  ['aved', []],
])('%j', (text, labels) => {
  expect(found(text)).toEqual(labels);
});
