// Components whose code loads when they are first shown. React's `lazy` shows what it loaded at the earliest 300 ms after the last
// fallback of any `Suspense` (FALLBACK_THROTTLE_MS in react-dom): every screen, and every first opening of a menu or a dialog,
// would wait for it.
import i18next from 'i18next';
import { type ComponentType, type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { toast } from './toast';

type LazyComponent<Props> = ComponentType<Props & { fallback?: ReactNode }> & {
  /** Loads the code before the component is shown; it is then shown at once. */
  load: () => Promise<unknown>;
};

/**
 * `fallback` takes its place meanwhile. When the code cannot be loaded, a toast offers to try again, and so does the next one
 * to be shown; one that is `essential` throws to the error boundary instead.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  essential?: 'essential',
): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  /** Draws again the components on screen that wait for the code. */
  const waiting = new Set<() => void>();

  const start = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component;
        for (const show of waiting) show();
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function Lazy({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const [ended, setEnded] = useState<[error: unknown]>();
    useLayoutEffect(() => {
      if (Loaded) return;
      // A transition is drawn in slices, so that a phone responds meanwhile.
      const end = (error?: unknown) => startTransition(() => setEnded([error]));
      const show = () => end();
      waiting.add(show);
      whenLoaded(start, undefined, essential && end);
      return () => void waiting.delete(show);
    }, []);
    if (Loaded) return <Loaded {...(props as unknown as Props)} />;
    if (ended) throw ended[0];
    return fallback;
  }
  /** A failure before it is shown is repeated when it is shown. */
  const preload = () => {
    const started = start();
    started.catch(() => undefined);
    return started;
  };
  return Object.assign(Lazy, { load: preload });
}

/** Calls `done` once the code has loaded. After a failure, a toast offers to try again, unless there is `failed`. */
export function whenLoaded(
  load: () => Promise<unknown>,
  done: (() => void) | undefined,
  failed: ((error: unknown) => void) | undefined = () =>
    toast({
      title: i18next.t('shell:notLoaded'),
      variant: 'destructive',
      action: { label: i18next.t('shell:tryAgain'), onClick: () => whenLoaded(load, done) },
    }),
): void {
  load().then(done, failed);
}
