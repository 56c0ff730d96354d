// Over the screen, when a response has not come for eight seconds: says so, with Try Again. The request goes on meanwhile.
import { useQueryClient } from '@tanstack/react-query';
import { Hourglass, RefreshCw } from 'lucide-react';
import { useEffect, useId, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { addTexts } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import en from '@/locales/en/unanswered.json';
import fil from '@/locales/fil/unanswered.json';
import { Button } from './button';

// Part of the code: a server that does not answer sends no texts either.
addTexts('unanswered', { en, fil });

const patience = 8_000;

/** The placeholders on screen that have waited so long, and how often the member has tried again. */
let state = { late: [] as readonly string[], round: 0 };
const listeners = new Set<() => void>();

function change(next: Partial<typeof state>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Belongs to a placeholder: watches how long it is shown. Only one of them speaks for all. */
export function Unanswered() {
  const id = useId();
  const { late, round } = useSyncExternalStore(subscribe, () => state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has its own time.
  useEffect(() => {
    const timer = setTimeout(() => change({ late: [...state.late, id] }), patience);
    return () => {
      clearTimeout(timer);
      if (state.late.includes(id)) change({ late: state.late.filter((other) => other !== id) });
    };
  }, [id, round]);
  return late[0] === id ? createPortal(<Notice />, document.getElementById('main') ?? document.body) : null;
}

function Notice() {
  const { t } = useTranslation(['unanswered', 'shell']);
  const queryClient = useQueryClient();
  const retry = () => {
    change({ late: [], round: state.round + 1 });
    const stuck = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' });
    void queryClient.cancelQueries({ fetchStatus: 'fetching' }).then(() => {
      for (const query of stuck) void query.fetch().catch(() => undefined);
    });
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--bottom-bar-height)+0.75rem+env(safe-area-inset-bottom))] z-(--z-header) flex justify-center px-4 md:bottom-3 print:hidden">
      <div
        role="alert"
        className="pointer-events-auto flex items-center gap-3 rounded-xl border bg-card py-2 pr-2 pl-4 text-caption font-medium shadow-md"
      >
        <Hourglass className="icon-sm shrink-0 text-muted-foreground" />
        <span className="text-pretty">{t('waiting')}</span>
        <Button variant="outline" size="sm" className="shrink-0" onClick={retry}>
          <RefreshCw className="icon-sm" />
          {t('shell:tryAgain')}
        </Button>
      </div>
    </div>
  );
}
