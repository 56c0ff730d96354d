// Texts load in the language of the member; a change of language loads the other language's texts first.
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from './i18n';
import { changeLanguage, loadTexts } from './load-texts';
import * as files from './text-files';

vi.mock('./text-files', { spy: true });

startI18n();

beforeEach(async () => {
  vi.restoreAllMocks();
  await i18next.changeLanguage('en');
  for (const language of ['en', 'fil'])
    for (const feature of ['saved', 'search', 'topics']) i18next.removeResourceBundle(language, feature);
});

const has = (language: string, feature: string) => i18next.hasResourceBundle(language, feature);

test('only the language of the member loads, once', async () => {
  await loadTexts('saved');
  await loadTexts('saved');
  expect([has('en', 'saved'), has('fil', 'saved')]).toEqual([true, false]);
  expect(files.readTexts).toHaveBeenCalledTimes(1);
});

test('the language changes after the texts on screen have loaded', async () => {
  await loadTexts('saved');
  let answer: (texts: object) => void = () => undefined;
  const texts = new Promise<object>((resolve) => {
    answer = resolve;
  });
  vi.mocked(files.readTexts).mockImplementationOnce(() => texts);
  const change = changeLanguage('fil');
  // A screen that opens meanwhile.
  await loadTexts('search');
  expect(i18next.language).toBe('en');
  answer({ title: 'Mga na-save' });
  await change;
  expect(i18next.language).toBe('fil');
  expect(i18next.t('saved:title')).toBe('Mga na-save');
  expect(has('fil', 'search')).toBe(true);
});

test('without its texts the language stays', async () => {
  await loadTexts('topics');
  vi.mocked(files.readTexts).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(changeLanguage('fil')).rejects.toThrow('Failed to fetch');
  expect(i18next.language).toBe('en');
  await changeLanguage('fil');
  expect(has('fil', 'topics')).toBe(true);
});
