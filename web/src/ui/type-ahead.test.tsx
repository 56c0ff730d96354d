// Keys typed while a dialog is loading arrive in its first field.
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { gate } from '@/testing/jobs';
import { Dialog } from './dialog';
import { lazy } from './lazy';
import { useOpening } from './use-opening';

startI18n();
beforeEach(() => i18next.changeLanguage('en'));

function Form({ initial, multiline, open, onOpenChange }: FormProps) {
  const [text, setText] = useState(initial);
  const field = {
    'aria-label': 'Words',
    maxLength: 20,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => setText(target.value),
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="A form">
      {multiline === undefined ? (
        <p>Nothing to write</p>
      ) : multiline ? (
        <textarea {...field} />
      ) : (
        <input {...field} />
      )}
    </Dialog>
  );
}

interface FormProps {
  initial: string;
  /** Absent: without a field. */
  multiline?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function open(form: Pick<FormProps, 'multiline' | 'initial'>) {
  const code = gate();
  const Lazy = lazy(async () => {
    await code.opened;
    return Form;
  });
  function Screen() {
    const { nr, isOpen, open, close } = useOpening();
    return (
      <>
        <button type="button" onClick={open}>
          Write
        </button>
        {nr > 0 && <Lazy key={nr} {...form} open={isOpen} onOpenChange={close} />}
      </>
    );
  }
  render(<Screen />);
  return { user: userEvent.setup(), arrive: () => act(async () => code.open()) };
}

const button = () => screen.getByRole('button', { name: 'Write' });
const words = () => screen.findByRole('textbox', { name: 'Words' });

test.each([
  ['a text area', true, 'First line\nsec'],
  ['a field of one line', false, 'First line sec'],
])('into %s, and the rest follows', async (_, multiline, before) => {
  const { user, arrive } = open({ multiline, initial: '' });
  await user.click(button());
  await user.keyboard('First line{Enter}sec');
  await arrive();
  expect(await words()).toHaveFocus();
  expect(await words()).toHaveValue(before);
  await user.keyboard('ond');
  expect(await words()).toHaveValue(`${before}ond`);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button()).toHaveFocus());
});

test('after the text that is there, up to the longest text', async () => {
  const { user, arrive } = open({ multiline: true, initial: 'Dear ' });
  button().focus();
  await user.keyboard('{Enter}');
  await user.keyboard('colleagues of the bench');
  await arrive();
  expect(await words()).toHaveValue('Dear colleagues of t');
});

test('a dialog without a field ignores it', async () => {
  const { user, arrive } = open({ initial: '' });
  await user.click(button());
  await user.keyboard('abc');
  await arrive();
  expect(await screen.findByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
  expect(screen.queryByRole('textbox', { hidden: true })).not.toBeInTheDocument();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button()).toHaveFocus());
});

test('Escape while it loads returns the focus, and the dialog does not appear', async () => {
  const { user, arrive } = open({ multiline: true, initial: '' });
  await user.click(button());
  expect(button()).not.toHaveFocus();
  await user.keyboard('ab{Escape}');
  expect(button()).toHaveFocus();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  await arrive();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(button()).toHaveFocus();
});
