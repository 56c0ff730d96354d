import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { MarkedTerms } from '@/ui/marked';
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

test('words of a search are marked in links and around them', () => {
  render(
    <MemoryRouter>
      <MarkedTerms value={['lawphil', 'reply']}>
        <RichText>Read https://lawphil.net/x, then reply.</RichText>
      </MarkedTerms>
    </MemoryRouter>,
  );
  expect(screen.getAllByText(/^(?:lawphil|reply)$/).map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK']);
  expect(screen.getByRole('link')).toHaveTextContent('https://lawphil.net/x');
});
