// A setting of this browser that is on unless the member switched it off.
import { useSyncExternalStore } from 'react';

interface DeviceSwitch {
  change: (on: boolean) => void;
  /** Whether it is on. */
  use: () => boolean;
}

export function deviceSwitch(storageKey: string): DeviceSwitch {
  const listeners = new Set<() => void>();
  const stored = () => {
    try {
      return localStorage.getItem(storageKey) !== 'off';
    } catch {
      return true;
    }
  };
  let isOn = stored();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    change: (on) => {
      isOn = on;
      try {
        if (on) localStorage.removeItem(storageKey);
        else localStorage.setItem(storageKey, 'off');
      } catch {
        // Storage can be forbidden; the choice then lasts as long as the page.
      }
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => isOn),
  };
}
