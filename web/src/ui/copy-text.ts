// Copies a text to the clipboard and says so in a toast.
import { type ToastMessage, toast } from './toast';

/** Without a secure origin there is no clipboard. */
export function copyText(text: string, copied: ToastMessage, failed: ToastMessage): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject();
  done.then(
    () => toast({ variant: 'success', ...copied }),
    () => toast(failed),
  );
}
