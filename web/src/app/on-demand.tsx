// A header button whose floating part arrives when it is first wanted, so that the first page stays light.
import { type ComponentType, lazy, type ReactElement, Suspense, useMemo, useState } from 'react';
import type { ButtonProps } from '@/ui/button';

interface OnDemandProps {
  /** Must be the same function at every render. */
  load: () => Promise<{ default: ComponentType<{ trigger: ReactElement }> }>;
  /** The button, given the handlers that fetch and open the floating part. */
  children: (handlers: Partial<ButtonProps>) => ReactElement;
}

/** Hover and focus fetch the code; the first click opens it. From then on the real trigger stands in its place. */
export function OnDemand({ load, children }: OnDemandProps) {
  const [wanted, setWanted] = useState(false);
  const Floating = useMemo(() => lazy(load), [load]);
  const plain = children({
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setWanted(true),
  });
  if (!wanted) return plain;
  return (
    <Suspense fallback={plain}>
      <Floating trigger={children({})} />
    </Suspense>
  );
}
