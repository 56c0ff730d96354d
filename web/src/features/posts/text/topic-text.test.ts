// Topics in a text, by the same cases as those of the server.
import { expect, test } from 'vitest';
import { topicOf, topicsIn } from './topic-text';

const found = (text: string) => topicsIn(text).map(({ topic }) => topic);

test.each([
  ['For #BarExam_2027, see #Piñas! (#moot) #法律', ['barexam_2027', 'piñas', 'moot', '法律']],
  ['#ΟΔΟΣ #İstanbul #CIVPRO-1', ['οδος', 'istanbul', 'civpro']],
  [`#${'a'.repeat(50)} #${'a'.repeat(51)}`, ['a'.repeat(50)]],
  ['# Heading #a ##moot a#moot &#39; /#moot #-moot', []],
  ['\u{1d49c}#moot', []],
])('%s', (text, topics) => {
  expect(found(text)).toEqual(topics);
});

test('only letters, digits and underscores are a topic', () => {
  expect(topicOf('Moot_1')).toBe('moot_1');
  for (const raw of ['', 'a', 'a b', '#moot', 'moot!', 'a'.repeat(51)]) expect(topicOf(raw)).toBeNull();
});
