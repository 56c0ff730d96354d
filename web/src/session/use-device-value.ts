// A value that this browser keeps, while it is on screen.
import { useCallback, useSyncExternalStore } from 'react';
import { readDevice, subscribeDevice } from './device-store';

/** Null for no key and no value. */
export function useDeviceValue(key: string | null): string | null {
  const subscribe = useCallback(
    (listener: () => void) => (key === null ? () => undefined : subscribeDevice(key, listener)),
    [key],
  );
  return useSyncExternalStore(subscribe, () => (key === null ? null : readDevice(key)));
}
