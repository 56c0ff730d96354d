// The copies of an article cluster and their order.
import { expect, test } from 'vitest';
import { articleOf, copyOf } from '@/testing/news';
import { copiesOf, sourceNames } from './copies';

const atl = copyOf('above_the_law', 'Above the Law', 'https://abovethelaw.example/1');
const law = copyOf('law_com', 'Law.com', 'https://law.example/1');
const again = copyOf('law_com', 'Law.com', 'https://law.example/1-updated');

test('the copy that is shown comes first, the others keep their order', () => {
  const article = articleOf('A story', { ...law, copies: [atl, law, again] });
  expect(copiesOf(article)).toEqual([law, atl, again]);
  expect(sourceNames(article)).toEqual(['Law.com', 'Above the Law']);
});

test('an article of one source, and one that its copies do not contain', () => {
  expect(sourceNames(articleOf('A story', { ...atl, copies: [atl] }))).toEqual(['Above the Law']);
  expect(sourceNames(articleOf('A story', { ...atl, copies: [] }))).toEqual(['Above the Law']);
});
