// Messages of failed queries, and elements without recorded stacks.
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

test('a failed query prints the document, at once and after a wait', async () => {
  render(<p>Torts</p>);
  expect(() => screen.getByRole('button')).toThrow(/role "button".*<p>.*Torts/s);
  const waiting = waitFor(() => screen.getByText('Contracts'), { timeout: 60 });
  await expect(waiting).rejects.toThrow(/Contracts.*<p>.*Torts/s);
});

test('React records no stack for each element', () => {
  const stackOf = (element: object): unknown => Reflect.get(element, '_debugStack');
  const [one, other] = [<p key="one" />, <p key="other" />];
  expect(stackOf(one)).toBeInstanceOf(Error);
  expect(stackOf(other)).toBe(stackOf(one));
});
