// Components whose code loads when they are first shown. React's `lazy` shows what it loaded at the earliest 300 ms after the last
// fallback of any `Suspense` (FALLBACK_THROTTLE_MS in react-dom): every screen, and every first opening of a menu or a dialog,
// would wait for it.
import { type ComponentType, type ReactNode, startTransition, useLayoutEffect, useState } from 'react';

type LazyComponent<Props> = ComponentType<Props & { fallback?: ReactNode }> & {
  /** Loads the code before the component is shown; it is then shown at once. */
  load: () => Promise<unknown>;
};

/** `fallback` takes its place meanwhile. A failure is thrown to the error boundary; the next one to be shown tries again. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;

  const start = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function Lazy({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const [ended, setEnded] = useState<{ error?: unknown }>();
    useLayoutEffect(() => {
      if (Loaded) return;
      // A transition is drawn in slices, so that a phone responds meanwhile.
      const end = (result: { error?: unknown }) => startTransition(() => setEnded(result));
      start().then(
        () => end({}),
        (error: unknown) => end({ error }),
      );
    }, []);
    if (Loaded) return <Loaded {...(props as unknown as Props)} />;
    if (ended) throw ended.error;
    return fallback;
  }
  return Object.assign(Lazy, { load: start });
}
