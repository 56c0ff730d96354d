// Which words a search marks.
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Marked, MarkedTerms, pieces } from './marked';

const marked = (text: string, ...terms: string[]) =>
  pieces(text, terms)
    .filter((piece) => piece.marked)
    .map((piece) => piece.text);

test('a word that begins with a term is marked whole, whatever its case and accents', () => {
  expect(marked('Peña moot Mooting, smooth', 'moot', 'pena')).toEqual(['Peña', 'moot', 'Mooting']);
});

test('nothing of the text is lost or moved', () => {
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

test('outside a search there is the plain text, within it marks', () => {
  const { container, rerender } = render(<Marked>{'Moot court'}</Marked>);
  expect(container.querySelector('mark')).toBeNull();
  rerender(
    <MarkedTerms value={['court']}>
      <Marked>{'Moot court'}</Marked>
    </MarkedTerms>,
  );
  expect(container.querySelectorAll('mark')).toHaveLength(1);
  expect(container).toHaveTextContent('Moot court');
});
