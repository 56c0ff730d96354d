// The part of Markdown an article may have, and what stays plain words.
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { blocksOf, Markdown } from './markdown';

test('headings begin under the title, paragraphs keep their lines', () => {
  render(<Markdown>{'# One\nFirst line\nsecond line\n\n### Three\n\nAnother'}</Markdown>);
  expect(screen.getByRole('heading', { level: 2, name: 'One' })).toBeVisible();
  expect(screen.getByRole('heading', { level: 3, name: 'Three' })).toBeVisible();
  expect(screen.getByText(/First line/)).toHaveTextContent('First line second line');
});

test('no level of headings is skipped, however they are marked', () => {
  const levels = (text: string) =>
    blocksOf(text).map((block) => (block.kind === 'heading' ? block.level : null));
  expect(levels('## a\n## b\n### c\n## d')).toEqual([1, 1, 2, 1]);
  expect(levels('### a\n# b\n### c')).toEqual([1, 1, 2]);
});

test('lists, quotes, rules and code', () => {
  const kinds = blocksOf('- a\n- b\n1. c\n> d\n> e\n---\n```\n**f**\n```').map((block) => block.kind);
  expect(kinds).toEqual(['list', 'list', 'quote', 'rule', 'code']);
  render(<Markdown>{'- a\n- b\n\n```\n**f**\n```'}</Markdown>);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.getByText('**f**')).toBeVisible();
});

test('bold, italic, code and links within a line', () => {
  const { container } = render(
    <Markdown>
      {'**Held** in *Reyes* `¶ 4`, see [the opinion](https://court.example/a) or https://b.example.'}
    </Markdown>,
  );
  expect(container.querySelector('strong')).toHaveTextContent('Held');
  expect(container.querySelector('em')).toHaveTextContent('Reyes');
  expect(container.querySelector('code')).toHaveTextContent('¶ 4');
  const link = screen.getByRole('link', { name: 'the opinion' });
  expect(link).toHaveAttribute('href', 'https://court.example/a');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  expect(screen.getByRole('link', { name: 'https://b.example' })).toBeVisible();
});

test.each([
  '[x](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '[x](https://user:pass@evil.example)',
  'https://user@evil.example/',
])('%s stays plain words', (text) => {
  const { container } = render(<Markdown>{text}</Markdown>);
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
  expect(container.querySelector('img')).toBeNull();
  expect(container).toHaveTextContent(text);
});

test('marks that are never closed take no time', () => {
  for (const text of ['*', '**', '`', '[', '[a](', '> ', '```\n'].map((mark) => mark.repeat(20_000)))
    expect(blocksOf(text).length).toBeGreaterThan(0);
  const { container } = render(<Markdown>{'[a](https://'.repeat(3_000)}</Markdown>);
  expect(container).toHaveTextContent('[a](https://');
});

test('neither do spaces by the thousand, whatever ends their line', () => {
  const spaces = ' '.repeat(20_000);
  for (const end of ['b', 'a\u2028b', 'a\u2029', '#'.repeat(20_000)])
    for (const mark of ['#', '# a', '-', '- a', '1.', '1. a', '>', '> a'])
      expect(blocksOf(`${mark}${spaces}${end}`).length).toBeGreaterThan(0);
  expect(blocksOf(`# a${spaces}b ##`)).toEqual([{ kind: 'heading', level: 1, text: `a${spaces}b` }]);
  expect(blocksOf('a\u2028# b')).toHaveLength(2);
});

test('topics are links, in bold and headings too, but not in code', () => {
  render(
    <MemoryRouter>
      <Markdown>{'# On #Outlining\nRead **#moot** and `#code`, then #Evidence_2.'}</Markdown>
    </MemoryRouter>,
  );
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['#Outlining', '/topics/outlining'],
    ['#moot', '/topics/moot'],
    ['#Evidence_2', '/topics/evidence_2'],
  ]);
});
