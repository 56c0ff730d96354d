// Marking the words that match a search.
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Marked, MarkedTerms, pieces } from './marked';

const marked = (text: string, ...terms: string[]) =>
  pieces(text, terms)
    .filter((piece) => piece.marked)
    .map((piece) => piece.text);

test('a word that begins with a term is marked completely, regardless of case and accents', () => {
  expect(marked('Peña moot Mooting, smooth', 'moot', 'pena')).toEqual(['Peña', 'moot', 'Mooting']);
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
