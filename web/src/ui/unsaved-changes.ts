// Unsaved changes: asks before a browser navigation discards them.
import { useEffect, useEffectEvent } from 'react';
import { historyGuard } from './history-guard';

/** Asks the member; the argument leaves the page after all. */
type Ask = (leave: () => void) => void;

/**
 * While `active`, Back and Forward return to this history entry and call `ask`; a reload or a closed tab gets the question
 * of the browser. The component router has no blocker of its own.
 */
export function useUnsavedChanges(active: boolean, ask: Ask): void {
  const onLeave = useEffectEvent(ask);
  useEffect(() => {
    if (!active) return;
    const at = positionOf(window.history.state);
    let isReturning = false;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onPopState = (event: PopStateEvent) => {
      if (isReturning) {
        isReturning = false;
        event.stopImmediatePropagation();
        return;
      }
      const to = positionOf(event.state);
      // Without a position the way back is unknown.
      if (at === null || to === null || to === at) return;
      event.stopImmediatePropagation();
      isReturning = true;
      window.history.go(at - to);
      onLeave(() => {
        stop();
        window.history.go(to - at);
      });
    };
    const stop = () => {
      window.removeEventListener('beforeunload', onBeforeUnload);
      if (historyGuard.onPopState === onPopState) historyGuard.onPopState = null;
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    historyGuard.onPopState = onPopState;
    return stop;
  }, [active]);
}

/** The position that the router stores in each history entry. */
function positionOf(state: unknown): number | null {
  const position = (state as { idx?: unknown } | null)?.idx;
  return typeof position === 'number' ? position : null;
}
