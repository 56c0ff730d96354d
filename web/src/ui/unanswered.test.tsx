// A request without a response: after eight seconds the screen says so, and goes on by itself.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';

startI18n();
// After the start: it adds its texts when it loads.
const { Loading } = await import('./skeleton');

beforeEach(async () => {
  await i18next.changeLanguage('en');
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const sentence = 'No answer from the server yet. Still trying...';

function show() {
  const answers: ((words: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  function List() {
    const { data } = useQuery({ queryKey: ['list'], queryFn });
    return data ? (
      <p>{data}</p>
    ) : (
      <>
        <Loading bars={['h-4']} />
        <Loading bars={['h-4']} />
      </>
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <List />
    </QueryClientProvider>,
  );
  return answers;
}

test('says so once, with Try Again, and shows the late response by itself', async () => {
  const answers = show();
  await pass(7_900);
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
  await pass(200);
  expect(screen.getByRole('alert')).toHaveTextContent(sentence);
  answers[0]?.('The news');
  await pass(10);
  expect(screen.getByText('The news')).toBeVisible();
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
});

test('Try Again sends the request again and waits anew', async () => {
  const answers = show();
  await pass(8_100);
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await pass(10);
  expect(answers).toHaveLength(2);
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
  await pass(8_100);
  expect(screen.getByText(sentence)).toBeVisible();
  answers[1]?.('The news');
  await pass(10);
  expect(screen.getByText('The news')).toBeVisible();
});
