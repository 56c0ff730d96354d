// Outside addresses that may become a link, and those that may not.
import { expect, test } from 'vitest';
import { webAddress } from './web-address';

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
