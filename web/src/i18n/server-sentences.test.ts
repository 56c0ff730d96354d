// The table of the server's error sentences has those that the services write.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import sentences from './server-sentences.json';

test.for(['auth', 'feed', 'jobs', 'messaging', 'news', 'profile', 'social-graph'])(
  'every error sentence of %s has a translation',
  (service) => {
    const source = readFileSync(`../services/${service}/src/error.rs`, 'utf8');
    // Sentences begin with a capital letter; causes for the server's log do not.
    const written = [...source.matchAll(/#\[error\("([A-Z][^"]*)"\)\]/g)].map(([, sentence]) => sentence);
    expect(written).not.toEqual([]);
    expect(written.filter((sentence) => !((sentence as string) in sentences))).toEqual([]);
  },
);
