// Topics in a text, tested with the server's cases.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { topicOf, topicsIn } from './topic-text';

const found = (text: string) => topicsIn(text).map(({ topic }) => topic);

const cases: [string, string[]][] = JSON.parse(readFileSync('../proto/src/topics.cases.json', 'utf8'));

test.each(cases)('%s', (text, topics) => {
  expect(found(text)).toEqual(topics);
});

test('only letters, digits and underscores are a topic, in one form', () => {
  expect(topicOf('Moot_1')).toBe('moot_1');
  expect(topicOf('CAFE\u0301')).toBe('café');
  for (const raw of ['', 'a', 'a b', '#moot', 'moot!', 'a'.repeat(51), '\u0301ab', 'ab\u200d'])
    expect(topicOf(raw)).toBeNull();
});
