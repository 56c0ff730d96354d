// When the texts of a language do not load, an error offers to try again.
import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import * as texts from '@/i18n/load-texts';
import { chooseLanguage } from './choose-language';
import { dismissToast, useToast } from './toast';

vi.mock('@/i18n/load-texts', { spy: true });

beforeEach(async () => {
  dismissToast();
  startI18n();
  await texts.changeLanguage('en');
});

test('a failure keeps the language and can be repeated', async () => {
  const { result } = renderHook(() => useToast());
  vi.mocked(texts.changeLanguage).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  chooseLanguage('fil');
  await waitFor(() => expect(result.current?.open).toBe(true));
  expect(result.current).toMatchObject({
    title: 'Error',
    variant: 'destructive',
    action: { label: 'Try Again' },
  });
  expect(document.documentElement.lang).toBe('en');
  result.current?.action?.onClick();
  await waitFor(() => expect(document.documentElement.lang).toBe('fil'));
});
