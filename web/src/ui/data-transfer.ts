// Files that a member pastes into a field, or drops on a part of the screen.
import { type ClipboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** The pasted files; none if text is pasted. The caller prevents the default when it takes them. */
export function pastedFiles({ clipboardData: { files, types } }: ClipboardEvent): File[] {
  // A word processor copies a picture of the text beside the text.
  return types.includes('text/plain') ? [] : [...files];
}

/**
 * Files dragged over the pane, which `paneOf` finds from an element in it; true while they are above it.
 *
 * @param paneOf A function of the module, the same at each call.
 */
export function useFileDrop(
  inside: RefObject<HTMLElement | null>,
  paneOf: (element: HTMLElement) => HTMLElement | null,
  onFiles: (files: File[]) => void,
): boolean {
  const [dragging, setDragging] = useState(false);
  const drop = useEffectEvent((event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  useEffect(() => {
    const pane = inside.current && paneOf(inside.current);
    if (!pane) return;
    // Without it, the browser would open the file in place of Portia.
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && pane.contains(event.relatedTarget))) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) drop(event);
    };
    pane.addEventListener('dragover', over);
    pane.addEventListener('dragleave', leave);
    pane.addEventListener('drop', onDrop);
    return () => {
      pane.removeEventListener('dragover', over);
      pane.removeEventListener('dragleave', leave);
      pane.removeEventListener('drop', onDrop);
    };
  }, [inside, paneOf]);
  return dragging;
}
