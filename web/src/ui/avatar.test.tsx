// Initials, colours, and broken photos.
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar, avatarColor, initials } from './avatar';

test.each([
  ['Isabel Reyes', 'IR'],
  ['Maria Clara de los Santos', 'MS'],
  ['  cher ', 'C'],
  ['Ñina Óscar', 'ÑÓ'],
  ['', 'U'],
  [null, 'U'],
])('initials of %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('a member always has the same colour', () => {
  expect(avatarColor('a')).toBe('var(--avatar-2)');
  expect(avatarColor('ab')).toBe(avatarColor('ba'));
});

test('a broken photo shows the initials', () => {
  const { container } = render(
    <Avatar user={{ id: 'a', fullName: 'Isabel Reyes', avatarUrl: '/media/x.jpg' }} size={40} />,
  );
  const photo = container.querySelector('img');
  expect(photo).toHaveAttribute('width', '40');
  if (photo) fireEvent.error(photo);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByRole('img', { name: 'Isabel Reyes' })).toHaveTextContent('IR');
});
