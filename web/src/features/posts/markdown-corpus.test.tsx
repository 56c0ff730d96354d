// The corpus that the excerpts of the feed service pass too (services/feed/src/posts/excerpt.rs).
import { render } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Markdown } from './markdown';
import corpus from './markdown-corpus.json';

const { cases, repeated } = corpus;

/** The rendered elements, of whose attributes only the addresses of links matter. */
function rendered(markdown: string): Element {
  const article = render(<Markdown>{markdown}</Markdown>, { wrapper: MemoryRouter }).container
    .firstElementChild;
  if (!article) throw new Error('Nothing was rendered.');
  for (const element of article.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (name !== 'href') element.removeAttribute(name);
  return article;
}

/** The visible lines. */
function linesOf(article: Element): string[] {
  const blocks = [...article.children].flatMap((block) =>
    /^[OU]L$/.test(block.tagName) ? [...block.children] : [block],
  );
  const lines = blocks.flatMap((block) => (block.textContent ?? '').split('\n'));
  return lines.map((line) => line.trim()).filter(Boolean);
}

test.each(cases)('$name', ({ markdown, html, excerpt, ...other }) => {
  const article = rendered(markdown);
  expect(article.innerHTML).toBe(html);
  // The excerpt has the text of the article, and the numbers of list items.
  const numbers = article.querySelector('ol') ? /^\d{1,9}[.)]\s+/gm : /(?!)/g;
  const lines = excerpt.replace(numbers, '').split('\n').filter(Boolean);
  const last = lines.at(-1) ?? '';
  const shown = linesOf(article);
  if (last.endsWith('…')) expect(shown.at(-1)).toContain(last.slice(0, -1));
  else if ('differs' in other && other.differs) expect(shown).not.toEqual(lines);
  else expect(shown).toEqual(lines);
});

test('a megabyte of marks takes no time', () => {
  for (const { markdown, times } of repeated) {
    const article = renderToStaticMarkup(
      <MemoryRouter>
        <Markdown>{markdown.repeat(times)}</Markdown>
      </MemoryRouter>,
    );
    expect(article).toMatch(/^<div/);
  }
});
