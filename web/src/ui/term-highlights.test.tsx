// Marking the words that match a search.
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Highlight } from './highlight';
import { pieces, TermHighlights } from './term-highlights';

const marked = (text: string, ...terms: string[]) =>
  pieces(text, terms)
    .filter((piece) => piece.marked)
    .map((piece) => piece.text);

test('a word that begins with a term is marked completely, regardless of case and accents', () => {
  expect(marked('Peña moot Mooting, smooth', 'moot', 'pena')).toEqual(['Peña', 'moot', 'Mooting']);
});

test.each([
  ['Under R.A. 10173, G.R. No. 5', ['ra', 'gr'], ['R.A', 'G.R']],
  ['LL.M., Ph.D. and 12 F.3d 1', ['llm', 'phd', 'f3'], ['LL.M', 'Ph.D', 'F.3d']],
  ['J.R. Reyes of up.edu.ph', ['j', 'up', 'edu'], ['J.R', 'up', 'edu']],
  ['J.R. Reyes', ['r'], ['R', 'Reyes']],
  ['plan B. A new', ['ba'], []],
  ['No.5', ['no5'], []],
  ['昨日最高裁判所は違憲判決を出した', ['最高', '高裁', '判決'], ['最高裁', '判決']],
  ['李小明 and 3L', ['小明', '3l'], ['小明', '3L']],
  ['ศาลรัฐธรรมนูญ', ['รฐ', 'ฐธ'], ['รัฐธ']],
  ['がく', ['か'], ['が']],
  ['第3条', ['3', '条'], ['3', '条']],
])('%s with %j', (text, terms, expected) => {
  expect(marked(text, ...terms)).toEqual(expected);
  expect(
    pieces(text, terms)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

test('the pieces add up to the text', () => {
  const text = 'Isabel Reyes: 3L, (Manila) – moot\ncourt.';
  expect(
    pieces(text, ['manila', 'court', '3l'])
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

test('an empty term marks nothing', () => {
  expect(marked('Moot court', '')).toEqual([]);
});

test('text is plain outside a search and marked inside', () => {
  const { container, rerender } = render(<Highlight>{'Moot court'}</Highlight>);
  expect(container.querySelector('mark')).toBeNull();
  rerender(
    <TermHighlights value={['court']}>
      <Highlight>{'Moot court'}</Highlight>
    </TermHighlights>,
  );
  expect(container.querySelectorAll('mark')).toHaveLength(1);
  expect(container).toHaveTextContent('Moot court');
});
