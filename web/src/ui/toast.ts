// The toast on screen: its message, and when it opens, closes and is removed (specification, sections 4 and 9).
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';

export const toastDuration = 5_000;
export const toastSwipeThreshold = 50;
export const toastRemoveDelay = 1_000_000;
export const toastHotkey = 'F8';

export interface ToastMessage {
  title: string;
  description?: string;
  /** `success` shows a check, `info` an i, `destructive` a red panel. */
  variant?: 'success' | 'info' | 'destructive';
  /** A button that closes the toast, such as Undo. */
  action?: { label: string; onClick: () => void };
}

interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

let shown: ShownToast | null = null;
let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: ShownToast | null) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and replaces an open one: there is never more than one. Texts are translated by the caller. */
export function toast(message: ToastMessage): void {
  clearTimeout(removal);
  lastId += 1;
  show({ ...message, id: lastId, open: true });
}

/** 'Error', and why. */
export function showError(description: string): void {
  toast({ title: i18next.t('shell:error'), description, variant: 'destructive' });
}

/** Closes the open toast, only this one if an id is given; it is removed after the removal delay. */
export function dismissToast(id = shown?.id): void {
  if (!shown?.open || shown.id !== id) return;
  show({ ...shown, open: false });
  clearTimeout(removal);
  removal = setTimeout(() => show(null), toastRemoveDelay);
}

export function useToast(): ShownToast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
