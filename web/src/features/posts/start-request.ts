// Opens the composer of the home screen from elsewhere: the address of home has a state that asks for it.
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The navigation options of `paths.home` that open the composer. */
export const composerOpened = { state: { startPost: true } };

/** Calls `start` once for each navigation that asks for it; Back and a reload do not open the composer again. */
export function useStartRequest(start: () => void): void {
  const { key, state } = useLocation();
  const isAsked = useNavigationType() === 'PUSH' && state?.startPost === true;
  const onRequest = useEffectEvent(start);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has another key.
  useEffect(() => {
    if (isAsked) onRequest();
  }, [key, isAsked]);
}
