// Two feature folders never import each other: shared code is in a layer below, or the screen composes them.
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['./*/**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Every import of one feature by another, with the file and the module. */
const imports = Object.entries(sources).flatMap(([file, code]) => {
  const [, from = ''] = file.split('/');
  return [...code.matchAll(/'@\/features\/([\w-]+)\/[^']+'/g)]
    .filter(([, to]) => to !== from)
    .map(([module, to = '']) => ({ from, to, text: `${file} imports ${module}` }));
});

test('no two features import each other', () => {
  const mutual = imports
    .filter((one) => imports.some(({ from, to }) => from === one.to && to === one.from))
    .map(({ from, to, text }) => `${[from, to].sort().join(' and ')}: ${text}`)
    .sort();
  expect(imports.length).toBeGreaterThan(0);
  expect(mutual, mutual.join('\n')).toEqual([]);
});
