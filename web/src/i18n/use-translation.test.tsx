// The translation hook.
import { act, render, screen } from '@testing-library/react';
import i18next, { type TFunction } from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { addTexts, startI18n } from './i18n';
import { useTranslation } from './use-translation';

startI18n();
beforeEach(() => void i18next.changeLanguage('en'));

test('a component renders again in the new language', async () => {
  function Home() {
    const { t, i18n } = useTranslation('shell');
    return <p>{`${i18n.language}: ${t('nav.home')}`}</p>;
  }
  render(<Home />);
  expect(screen.getByText('en: Home')).toBeVisible();
  await act(() => i18next.changeLanguage('fil'));
  expect(screen.getByText('fil: Home')).toBeVisible();
});

test('keys belong to the first feature, keys of others have a prefix', () => {
  addTexts('about', { en: { title: 'About us' }, fil: { title: 'Tungkol sa amin' } });
  function Title() {
    const { t } = useTranslation(['about', 'shell']);
    return <p>{`${t('title')}, ${t('shell:nav.home')}`}</p>;
  }
  render(<Title />);
  expect(screen.getByText('About us, Home')).toBeVisible();
});

test('the function is the same in every render', () => {
  const seen = new Set<TFunction<'shell'>>();
  function Any() {
    seen.add(useTranslation('shell').t);
    return null;
  }
  const { rerender } = render(<Any />);
  rerender(<Any />);
  expect(seen.size).toBe(1);
});
