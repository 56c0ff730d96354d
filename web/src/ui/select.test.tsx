// A select before and after its list has loaded, by pointer and by key.
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Select } from './select';

function Sort() {
  const [value, setValue] = useState<'new' | 'old'>('new');
  const options = [
    { value: 'new', label: 'Newest' },
    { value: 'old', label: 'Oldest' },
  ] as const;
  return <Select label="Sort by" options={options} value={value} onChange={setValue} />;
}

const control = () => screen.getByRole('combobox', { name: 'Sort by' });

test.each(['{ArrowDown}', '{ArrowUp}', '{Enter}', ' '])(
  '%s opens the list at the selected option',
  async (key) => {
    const user = userEvent.setup();
    render(<Sort />);
    expect(control()).toHaveTextContent('Newest');
    expect(control()).toHaveAttribute('aria-expanded', 'false');
    await user.tab();
    expect(control()).toHaveFocus();
    await user.keyboard(key);
    await waitFor(() => expect(screen.getByRole('option', { name: 'Newest' })).toHaveFocus());
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(control()).toHaveTextContent('Oldest'));
    expect(control()).toHaveFocus();
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
  },
);

test('Escape changes nothing and returns the focus', async () => {
  const user = userEvent.setup();
  render(<Sort />);
  await user.click(control());
  expect(await screen.findByRole('option', { name: 'Newest' })).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(control()).toHaveFocus());
  expect(control()).toHaveTextContent('Newest');
  expect(control()).toHaveAttribute('aria-expanded', 'false');
});
