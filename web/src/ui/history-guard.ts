// Sees Back and Forward before the router does: a window calls its listeners in the order of their registration.

/** Set while a form has unsaved changes. */
export const historyGuard: { onPopState: ((event: PopStateEvent) => void) | null } = { onPopState: null };

window.addEventListener('popstate', (event) => historyGuard.onPopState?.(event));
