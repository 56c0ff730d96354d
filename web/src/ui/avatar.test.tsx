// Initials, colours, and broken photos.
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar, avatarColor, initials } from './avatar';

test.each([
  ['Isabel Reyes', 'IR'],
  ['Maria Clara de los Santos', 'MS'],
  ['  cher ', 'C'],
  ['Ñina Óscar', 'ÑÓ'],
  ['Ana Reyes (she/her)', 'AR'],
  ['Ana Reyes [they/them] 🎓', 'AR'],
  ['Ana Reyes (she/her) (3L)', 'AR'],
  ['Ana Reyes she/her', 'AR'],
  ['Ana (Annie) Reyes', 'AR'],
  ['Ana Reyes （彼女）', 'AR'],
  ['"Boy" Cruz', 'BC'],
  ['“Boy” Cruz', 'BC'],
  ['Ana Reyes 🎓', 'AR'],
  ['🎓 Ana ⚖️ Reyes 🎓', 'AR'],
  ['(Ana) Reyes', 'AR'],
  ['👩🏽‍⚖️ Ana', 'A'],
  ['’Ana ‘Tina', 'AT'],
  ['ʻOlina ʻAkana', 'OA'],
  ['- Ana - Reyes -', 'AR'],
  ['Ana Reyes 2027', 'AR'],
  ['2nd Ana', 'A'],
  ['ana de la cruz', 'AC'],
  ['¡Ana! ¿Reyes?', 'AR'],
  ['ßeta ﬁnn', 'SF'],
  ['李 小明', '李小'],
  ['हिमा शर्मा', 'हश'],
  ['3M', '3'],
  ['7-Eleven', '7'],
  ['(Ana)', 'A'],
  ['(she/her)', 'S'],
  ['🎓', 'U'],
  ['— "" ()', 'U'],
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
