// Inserts text at the caret of a text field, as if it had been typed.

/** Replaces the selection. Nothing happens when the field is read-only or the result would be too long. */
export function insertText(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  if (field.readOnly) return;
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const length = field.value.length - (end - start) + text.length;
  if (field.maxLength >= 0 && length > field.maxLength) return;
  field.setRangeText(text, start, end, 'end');
  // React listens to this event.
  field.dispatchEvent(new Event('input', { bubbles: true }));
  // A handler may have set the value again.
  field.setSelectionRange(start + text.length, start + text.length);
}
