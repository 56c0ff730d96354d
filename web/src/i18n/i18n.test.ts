// Language detection and the fallback of a missing text.
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { startI18n } from './i18n';

afterEach(() => vi.unstubAllGlobals());

function detect({ stored, browser = [], page = '' }: { stored?: string; browser?: string[]; page?: string }) {
  if (stored) localStorage.setItem('i18nextLng', stored);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(browser[0] ?? '');
  document.documentElement.lang = page;
  startI18n();
  return i18next.language;
}

test.each([
  ['the stored choice before all', { stored: 'fil', browser: ['en-US'], page: 'en' }, 'fil'],
  ['then the browser', { browser: ['fil-PH', 'en'], page: 'en' }, 'fil'],
  ['the browser’s older name for Filipino', { browser: ['tl-PH'], page: 'en' }, 'fil'],
  ['the first language of the browser that exists', { browser: ['de-DE', 'fil-PH'], page: 'en' }, 'fil'],
  ['then the page', { browser: [], page: 'fil' }, 'fil'],
  ['a region changes nothing', { browser: ['en-PH'], page: 'fil' }, 'en'],
  ['English when nothing fits', { browser: ['de'], page: 'fr' }, 'en'],
])('%s', (_, from, language) => {
  expect(detect(from)).toBe(language);
  expect(document.documentElement.lang).toBe(language);
});

test('the choice is cached in local storage', () => {
  detect({ browser: ['fil'] });
  expect(localStorage.getItem('i18nextLng')).toBe('fil');
});

test('a text without Filipino falls back to English', () => {
  detect({ stored: 'fil' });
  i18next.addResource('en', 'shell', 'onlyEnglish', 'In English');
  expect(i18next.t('onlyEnglish' as never)).toBe('In English');
});
