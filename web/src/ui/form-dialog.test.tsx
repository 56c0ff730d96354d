// A form dialog asks before it discards changed input.
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { Link, MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';

startI18n();
// After the start: it adds its texts when it loads.
const { FormDialog } = await import('./form-dialog');
const { FormButtons } = await import('./form-buttons');

const onClose = vi.fn();

beforeEach(async () => {
  onClose.mockClear();
  await i18next.changeLanguage('en');
});

function Form({ busy = false }: { busy?: boolean }) {
  const [open, setOpen] = useState(true);
  const [text, setText] = useState('');
  return (
    <FormDialog
      open={open}
      title="A form"
      dirty={text !== ''}
      busy={busy}
      onClose={() => {
        onClose();
        setOpen(false);
      }}
      footer={<FormButtons form="form" send="Send" sending="Sending" busy={busy} />}
    >
      <input aria-label="Words" value={text} onChange={({ target }) => setText(target.value)} />
      <Link to="/away">Away</Link>
    </FormDialog>
  );
}

function open(busy?: boolean) {
  render(
    <MemoryRouter>
      <Routes>
        <Route path="/" element={<Form busy={busy} />} />
        <Route path="/away" element={<p>away</p>} />
      </Routes>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const asked = async () => within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
const words = () => screen.getByRole('textbox', { name: 'Words', hidden: true });
const ways = {
  Escape: (user: ReturnType<typeof open>) => user.keyboard('{Escape}'),
  'the X': (user: ReturnType<typeof open>) => user.click(screen.getByRole('button', { name: 'Close' })),
  'a press outside': (user: ReturnType<typeof open>) =>
    user.click(screen.getByRole('dialog').parentElement as HTMLElement),
};

test.each(Object.entries(ways))('%s closes an unchanged form at once', async (_, leave) => {
  await leave(open());
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test.each(Object.entries(ways))('%s asks first if the form was changed', async (_, leave) => {
  const user = open();
  await user.type(words(), 'mine');
  await leave(user);
  const question = await asked();
  expect(onClose).not.toHaveBeenCalled();

  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByText('Discard your changes?')).not.toBeInTheDocument());
  expect(words()).toHaveValue('mine');
  expect(screen.getByRole('dialog', { name: 'A form' })).toBeVisible();

  await leave(user);
  await user.click((await asked()).getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('Cancel closes a changed form at once', async () => {
  const user = open();
  await user.type(words(), 'mine');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a form that was changed back closes at once', async () => {
  const user = open();
  await user.type(words(), 'a{Backspace}');
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a form that is being sent stays open', async () => {
  const user = open(true);
  await user.type(words(), 'mine');
  await user.keyboard('{Escape}');
  expect(screen.queryByText('Discard your changes?')).not.toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
});

test('a link in a changed form asks, then leaves', async () => {
  const user = open();
  await user.type(words(), 'mine');
  await user.click(screen.getByRole('link', { name: 'Away' }));
  expect(screen.queryByText('away')).not.toBeInTheDocument();
  await user.click((await asked()).getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('away')).toBeVisible();
});

test('the browser asks before it unloads a changed form, not an unchanged one', async () => {
  const user = open();
  const unload = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(unload()).toBe(false);
  await user.type(words(), 'mine');
  expect(unload()).toBe(true);
  await user.clear(words());
  expect(unload()).toBe(false);
});

test('Back stays on the screen and asks; it goes on after Discard', async () => {
  window.history.replaceState({ idx: 4 }, '');
  const go = vi.spyOn(window.history, 'go').mockReturnValue();
  const router = vi.fn();
  window.addEventListener('popstate', router);
  const pop = (idx: number) =>
    act(async () => void window.dispatchEvent(new PopStateEvent('popstate', { state: { idx } })));
  const user = open();
  await user.type(words(), 'mine');

  await pop(3);
  expect(go).toHaveBeenLastCalledWith(1);
  // The browser has returned to the entry of the form.
  await pop(4);
  const question = await asked();
  expect(router).not.toHaveBeenCalled();

  await user.click(question.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(go).toHaveBeenLastCalledWith(-1);
  await pop(3);
  expect(router).toHaveBeenCalledOnce();
  window.removeEventListener('popstate', router);
});
