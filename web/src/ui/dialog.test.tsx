// Where a dialog puts the focus when it opens, and where it returns it.
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { Switch } from './switch';
import { Tooltip, TooltipGroup, tooltips } from './tooltip';

startI18n();
beforeEach(() => i18next.changeLanguage('en'));

const show = (children: ReactNode) =>
  render(
    <Dialog open onOpenChange={() => undefined} title="Keys">
      {children}
    </Dialog>,
  );

test('a switch does not take the first focus', async () => {
  show(<Switch label="Single keys" hint="One key is enough." checked onChange={() => undefined} />);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus());
});

test('a question focuses the button that changes nothing, and one with a field the field', async () => {
  const question = (children?: ReactNode) => (
    <ConfirmDialog
      open
      onOpenChange={() => undefined}
      title="Delete?"
      text="It cannot be undone."
      action="Delete"
      onConfirm={() => undefined}
    >
      {children}
    </ConfirmDialog>
  );
  const { unmount } = render(question());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  unmount();
  render(question(<input aria-label="Reason" />));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus());
});

test('the focus returns to a button that its tooltip has replaced meanwhile', async () => {
  function Screen() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <TooltipGroup>
          <Tooltip label="The news">
            <button type="button" onClick={() => setOpen(true)}>
              Open
            </button>
          </Tooltip>
        </TooltipGroup>
        <Dialog open={open} onOpenChange={setOpen} title="News">
          <p>Nothing new</p>
        </Dialog>
      </>
    );
  }
  render(<Screen />);
  const user = userEvent.setup();
  const before = screen.getByRole('button', { name: 'Open' });
  await user.click(before);
  await screen.findByRole('dialog');
  tooltips.load();
  await waitFor(() => expect(before).not.toBeInTheDocument());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
});

test('the focus returns to a button that was busy while the dialog was open', async () => {
  function Screen() {
    const [state, setState] = useState<'idle' | 'busy' | 'asked'>('idle');
    return (
      <>
        <button type="button" disabled={state !== 'idle'} onClick={() => setState('busy')}>
          Delete
        </button>
        <button type="button" onClick={() => setState('asked')}>
          Refuse
        </button>
        <Dialog open={state === 'asked'} onOpenChange={() => setState('busy')} title="Is it you?">
          <p>Please confirm</p>
        </Dialog>
        <button type="button" onClick={() => setState('idle')}>
          End
        </button>
      </>
    );
  }
  render(<Screen />);
  const button = screen.getByRole('button', { name: 'Delete' });
  const user = userEvent.setup();
  await user.click(button);
  // A browser takes the focus from a disabled button.
  button.blur();
  // The response, which moves no focus.
  fireEvent.click(screen.getByRole('button', { name: 'Refuse' }));
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(button).toBeDisabled();
  fireEvent.click(screen.getByRole('button', { name: 'End' }));
  await waitFor(() => expect(button).toHaveFocus());
});
