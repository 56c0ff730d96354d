// Texts with addresses, mentions and topics as links.
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { TermHighlights } from '@/ui/term-highlights';
import { RichText } from './rich-text';

test('an address becomes a link to another site in a new tab', () => {
  render(
    <MemoryRouter>
      <p>
        <RichText>Read https://lawphil.net/x, then reply.</RichText>
      </p>
    </MemoryRouter>,
  );
  const link = screen.getByRole('link', { name: 'https://lawphil.net/x' });
  expect(link).toHaveAttribute('href', 'https://lawphil.net/x');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  expect(screen.getByText(/then reply/)).toHaveTextContent('Read https://lawphil.net/x, then reply.');
});

test('the link of an international host has the name that the browser asks for', () => {
  render(
    <MemoryRouter>
      <RichText>{'https://ex\u0430mple.org/x and www.bücher.example.'}</RichText>
    </MemoryRouter>,
  );
  const [lookAlike, books] = screen.getAllByRole('link');
  expect(lookAlike).toHaveTextContent('https://ex\u0430mple.org/x (xn--exmple-4nf.org)');
  expect(lookAlike).toHaveAttribute('href', 'https://xn--exmple-4nf.org/x');
  expect(books).toHaveTextContent('www.bücher.example (www.xn--bcher-kva.example)');
});

test('an address of this Portia opens in the app, except files and the API', () => {
  const { origin } = window.location;
  render(
    <MemoryRouter>
      <RichText>{`${origin}/posts/1?comment=2 ${origin}/media/a.jpg ${origin}/api/docs`}</RichText>
    </MemoryRouter>,
  );
  const [post, ...files] = screen.getAllByRole('link');
  expect(post).toHaveAttribute('href', '/posts/1?comment=2');
  expect(post).not.toHaveAttribute('target');
  for (const file of files) expect(file).toHaveAttribute('target', '_blank');
});

test('mentions and topics are links, others stay text', () => {
  const text = 'Salamat @Ana Reyes, @Ben: #BarExam_2027 a#b';
  const mentions = [
    { id: 'a', name: 'Ana Reyes', start: 8, end: 18 },
    // Offsets of another text.
    { id: 'b', name: 'Ben', start: 2, end: 6 },
  ];
  render(
    <MemoryRouter>
      <RichText topics mentions={mentions}>
        {text}
      </RichText>
    </MemoryRouter>,
  );
  expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['@Ana Reyes', '/profile/a'],
    ['#BarExam_2027', '/topics/barexam_2027'],
  ]);
  expect(document.body).toHaveTextContent(text);
});

test('words of a search are marked in links and around them', () => {
  render(
    <MemoryRouter>
      <TermHighlights value={['lawphil', 'reply']}>
        <RichText>Read https://lawphil.net/x, then reply.</RichText>
      </TermHighlights>
    </MemoryRouter>,
  );
  expect(screen.getAllByText(/^(?:lawphil|reply)$/).map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK']);
  expect(screen.getByRole('link')).toHaveTextContent('https://lawphil.net/x');
});
