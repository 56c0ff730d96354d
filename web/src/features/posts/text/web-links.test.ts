// Addresses in a text, and texts that look like addresses.
import { expect, test } from 'vitest';
import { linksIn } from './web-links';

/** The linked texts, with their address if it differs. */
const linked = (text: string) =>
  linksIn(text).map(({ start, end, href }) => {
    const shown = text.slice(start, end);
    return shown === href ? shown : `${shown} -> ${href}`;
  });

test.each([
  ['Read https://lawphil.net/judjuris.html today', ['https://lawphil.net/judjuris.html']],
  ['HTTP://Example.com', ['HTTP://Example.com']],
  ['at www.supremecourt.gov.ph.', ['www.supremecourt.gov.ph -> https://www.supremecourt.gov.ph']],
  [
    'https://a.example, https://b.example; and https://c.example!',
    ['https://a.example', 'https://b.example', 'https://c.example'],
  ],
  ['Is it https://a.example/x?', ['https://a.example/x']],
  ['(see https://a.example/x)', ['https://a.example/x']],
  ['https://en.wikipedia.org/wiki/Stare_(law)', ['https://en.wikipedia.org/wiki/Stare_(law)']],
  ['(https://en.wikipedia.org/wiki/Stare_(law)).', ['https://en.wikipedia.org/wiki/Stare_(law)']],
  ['[https://a.example/[1]]', ['https://a.example/[1]']],
  ['"https://a.example/x"', ['https://a.example/x']],
  ['“https://a.example/x”', ['https://a.example/x']],
  ['<https://a.example/x>', ['https://a.example/x']],
  ['https://a.example/x—tingnan', ['https://a.example/x']],
  ['*https://a.example/x*', ['https://a.example/x']],
  ['https://a.example/?q=1&r=a%20b#part', ['https://a.example/?q=1&r=a%20b#part']],
  ['sa https://piñas.gov.ph/batas', ['https://piñas.gov.ph/batas -> https://xn--pias-hqa.gov.ph/batas']],
  ['https://例え.テスト/道', ['https://例え.テスト/道 -> https://xn--r8jz45g.xn--zckzah/道']],
  ['http://127.0.0.1:8080/posts/1', ['http://127.0.0.1:8080/posts/1']],
  ['two\nhttps://a.example\nlines', ['https://a.example']],
])('%s', (text, links) => {
  expect(linked(text)).toEqual(links);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>',
  'ftp://a.example',
  'See G.R.No.123 and R.A.10173 of lawphil.net',
  'ana@www.example.com',
  'xhttps://a.example',
  'https://',
  'http://.',
  'www.example',
  'www..example.com',
  'https://ana:secret@evil.example/',
  'https://a.example@evil.example/',
  `https://a.example/${'x'.repeat(2_048)}`,
])('%s stays text', (text) => {
  expect(linked(text)).toEqual([]);
});

test('a scheme that is no link ends before one that is', () => {
  expect(linked('javascript:https://a.example')).toEqual(['https://a.example']);
});

test('the time is bounded for a text of marks', () => {
  for (const mark of ['https://', 'www.', ')', 'https://a.example/)))', '(https://a.b'])
    expect(linksIn(mark.repeat(5_000)).length).toBeLessThanOrEqual(5_000);
});
