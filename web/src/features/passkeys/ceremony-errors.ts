// The refusals of a browser's passkey dialog. They are no errors of the server.

/** The member closed the dialog, let it time out, or has no passkey. The browser does not say which. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
}

/** The device has a passkey of this account already. */
export function isAdded(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}
