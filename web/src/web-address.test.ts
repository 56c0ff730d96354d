// Outside addresses that may become a link, and addresses that may not.
import { expect, test } from 'vitest';
import { hiddenHost, webAddress } from './web-address';

test.each([
  'https://example.org/a?b#c',
  'http://example.org',
  'HTTPS://example.org',
  'https://example.org/@name',
  'https://[2001:db8::1]:8443/x',
  'https://xn--bcher-kva.example',
])('%s may be linked', (url) => {
  expect(webAddress(url)).toBe(url);
});

test.each([
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://BÜCHER.example', 'https://xn--bcher-kva.example'],
  ['HTTP://bücher.example:8080/é?q=ñ#ü', 'http://xn--bcher-kva.example:8080/é?q=ñ#ü'],
  ['https://bücher.example:443?q=1', 'https://xn--bcher-kva.example?q=1'],
  ['https://例え.jp', 'https://xn--r8jz45g.jp'],
  ['https://例え。jp/', 'https://xn--r8jz45g.jp/'],
  ['https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai'],
  ['https://ex\u0430mple.org', 'https://xn--exmple-4nf.org'],
  ['https://ｅxample.org/', 'https://example.org/'],
  ['https://example.org/ä', 'https://example.org/ä'],
])('%s is linked as %s', (url, address) => {
  expect(webAddress(url)).toBe(address);
});

test('a host that the text of a link does not show is hidden', () => {
  const href = (url: string) => webAddress(url) ?? '';
  for (const shown of ['https://ex\u0430mple.org/x', 'https://bücher.example', 'www.bücher.example'])
    expect(hiddenHost(shown, href(shown.startsWith('w') ? `https://${shown}` : shown))).toMatch(
      /^(www\.)?xn--/,
    );
  for (const shown of ['https://example.org', 'https://XN--bcher-kva.example/', 'https://example.org/ä'])
    expect(hiddenHost(shown, href(shown))).toBeNull();
});

test.each([
  'https://bücher.example\\@example.org',
  'https://name@bücher.example',
  'https://＠bücher.example',
  'https://example.org／bücher',
  'https://bücher.example:99999/',
  'https://xn--a.example/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'mailto:a@example.org',
  'ftp://example.org',
  'https://name:word@example.org',
  'https://@example.org',
  'https://portia.example\\@example.org',
  'https:\\\\example.org',
  'https:///example.org',
  'https:example.org',
  '//example.org',
  '\\\\example.org',
  'https://exa mple.org',
  'https://example.org/\t',
  'https://example.org/\u0000',
  'https://example.org/\u202egpj.exe',
  'https://exa\u200bmple.org',
  '\u0001javascript:alert(1)',
  'javascript\u003aalert(1)',
  'javascript&colon;alert(1)',
  'jav\u0061script:alert(1)//https://example.org',
  'blob:https://example.org/1',
  'view-source:https://example.org',
  `https://example.org/${'a'.repeat(2_048)}`,
  '/jobs',
  '',
  null,
])('%j may not be linked', (url) => {
  expect(webAddress(url)).toBeNull();
});
