// Opens a dialog of another screen, such as the composer of home: the state of the address asks for it.
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The dialogs: of home, events, communities, messages, and the member's own profile. */
type Started = 'post' | 'event' | 'community' | 'group' | 'profile';

/** The navigation options of the screen that open the dialog. */
export const starting = (start: Started) => ({ state: { start } });

/** Calls `open` once for each navigation that asks for this dialog; Back and a reload do not open it again. */
export function useStartRequest(start: Started, open: () => void): void {
  const { key, state } = useLocation();
  const isAsked = useNavigationType() === 'PUSH' && state?.start === start;
  const onRequest = useEffectEvent(open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has another key.
  useEffect(() => {
    if (isAsked) onRequest();
  }, [key, isAsked]);
}
