// Which commands match a text, and which have it as their name.
import { expect, test } from 'vitest';
import { exactFirst, matching } from './command';

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

const named = (...labels: string[]) => labels.map((label) => ({ key: label, label, run: () => undefined }));
const shown = (text: string) =>
  exactFirst(
    [
      { name: 'places', commands: named('Jobs') },
      { name: 'search', commands: named(`Search for "${text}"`) },
      { name: 'people', commands: named('Ana Cruz Reyes', 'Ána Cruz') },
      { name: 'communities', commands: [] },
      { name: 'events', commands: named('Moot court', 'Ana Cruz') },
      { name: 'topics', commands: named('#moot') },
    ],
    text,
  ).map(({ name, commands }) => [name, ...commands.map(({ label }) => label)]);

test.each([
  ['ana  CRUZ', ['exact', 'Ána Cruz', 'Ana Cruz'], ['people', 'Ana Cruz Reyes']],
  ['moot', ['exact', '#moot'], ['events', 'Moot court', 'Ana Cruz']],
])('%j is an exact name', (text, exact, other) => {
  expect(shown(text)[0]).toEqual(exact);
  expect(shown(text)).toContainEqual(other);
});

test.each(['', '?', 'ana'])('%j is no exact name, and groups without commands are left out', (text) => {
  expect(shown(text).map(([name]) => name)).toEqual(['places', 'search', 'people', 'events', 'topics']);
});
