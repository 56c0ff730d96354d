// The icon of a community by its name.
import { Landmark, Scale, Users } from 'lucide-react';
import { expect, test } from 'vitest';
import { communityIcon } from './icon';

test.each([
  ['Eastbay Law Review', Users],
  ['REVIEWERS', Users],
  ['Constitutional Law Circle', Scale],
  ['Constitutional Law Review', Users],
  ['Bar Exam Study Hall', Landmark],
  ['', Landmark],
])('%j', (name, icon) => {
  expect(communityIcon(name)).toBe(icon);
});
