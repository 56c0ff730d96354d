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
  ['Ana Reyes she / her', 'AR'],
  ['Ana Reyes she/ her', 'AR'],
  ['Ana Reyes (she / her)', 'AR'],
  ['Ana Reyes <she>', 'AR'],
  ['Ana Reyes | she/her', 'AR'],
  ['Ana Reyes – she/her', 'AR'],
  ['Ana Reyes · 3L at Ateneo', 'AR'],
  ['Ana Reyes - Law Student', 'AR'],
  ['Ana Reyes, Esq.', 'AR'],
  ['Ana Reyes Esq.', 'AR'],
  ['Ana Reyes, J.D., LL.M.', 'AR'],
  ['Ana Reyes JD', 'AR'],
  ['Ana Reyes, PhD', 'AR'],
  ['Juan Reyes Jr.', 'JR'],
  ['Juan Reyes, Jr.', 'JR'],
  ['Juan Reyes III', 'JR'],
  ['Juan dela Cruz 2nd', 'JC'],
  ['Atty. Ana Reyes', 'AR'],
  ['Atty Ana Reyes', 'AR'],
  ['Dr. Ana Reyes', 'AR'],
  ['Prof. Dr. Ana Reyes', 'AR'],
  ['Hon. Ana Reyes', 'AR'],
  ['Ana/Annie Reyes', 'AR'],
  ['Reyes, Ana', 'RA'],
  ['Ana Reyes she/her/hers', 'AR'],
  ['Ana Reyes-Cruz', 'AR'],
  ["Ana O'Neil", 'AO'],
  ['Jun Ma', 'JM'],
  ['Li He', 'LH'],
  ['Ana Reyes/Cruz', 'AR'],
  ['Ana / Annie Reyes', 'AR'],
  ['Ana Reyes She/Her', 'AR'],
  ['Jean DUPONT', 'JD'],
  ['Dean Reyes', 'DR'],
  ['ANA REYES JD', 'AR'],
  ['Juan C. Reyes, Jr., Esq. (he/him)', 'JR'],
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
