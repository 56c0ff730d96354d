// The messages of a thread. Only visible rows are drawn, older pages keep the scroll position, and new messages scroll
// the list only if it is at its end.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { fetchOlder, type Thread } from '@/api/conversations';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Bubble } from './bubble';
import { LoadMoreButton } from './load-more-button';
import { dayName } from './message-time';
import type { Row } from './rows';
import { SystemLineText } from './system-line-text';
import type { Target } from './target';
import { useThread } from './thread-context';

/** The maximum distance to the end, in pixels, that counts as being at the end. */
const nearEnd = 80;
/** Space above the first message for the button that loads older ones. */
const paddingTop = 48;

interface MessageListProps {
  thread: Thread;
  /** The key of the thread in the cache. */
  threadKey: QueryKey;
  rows: Row[];
  target: Target;
  /** The name of the other member, or of the group. */
  name: string;
  isGroup: boolean;
  /** The thread ends with its newest messages; otherwise it is a page around the target. */
  isNewest: boolean;
  onRetry: (key: string) => void;
  onDiscard: (key: string) => void;
}

export function MessageList(props: MessageListProps) {
  const { thread, threadKey, rows, target, name, isGroup, isNewest, onRetry, onDiscard } = props;
  const { t, i18n } = useTranslation('messages');
  const { nameOf } = useThread();
  const authorOf = ({ own, message }: Row) =>
    own ? t('you') : isGroup ? nameOf(message?.userId ?? null) : name;
  const pane = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: (at) => estimateHeight(rows[at]),
    getItemKey: (at) => rows[at]?.key ?? at,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
    paddingStart: paddingTop,
    paddingEnd: 10,
    overscan: 8,
    // The list is measured while React commits, when it cannot flush.
    useFlushSync: false,
  });
  const { unseen, isFar, onScroll, toEnd, leaveEnd } = useEnd(virtualizer, pane, rows);
  const shown = useShownTarget(virtualizer, rows, target, leaveEnd);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={pane}
        aria-label={t('threadWith', { name })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        data-thread=""
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="flex min-h-full flex-col justify-end">
          <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {thread.older && <OlderButton id={thread.conversation.id} threadKey={threadKey} />}
            <ol>
              {virtualizer.getVirtualItems().map(({ key, index, start }) => {
                const row = rows[index];
                return (
                  row && (
                    <li
                      key={key}
                      ref={virtualizer.measureElement}
                      data-index={index}
                      data-target={shown === row.key || undefined}
                      className={`absolute inset-x-0 top-0 px-3 pb-1.5 md:px-5 ${shown === row.key ? 'bg-selected' : ''}`}
                      style={{ transform: `translateY(${start}px)` }}
                    >
                      {row.startsDay && (
                        <p className="pt-2 pb-3.5 text-center text-micro font-medium text-muted-foreground">
                          {dayName(i18n.language, row.at)}
                        </p>
                      )}
                      {row.startsUnread && (
                        <p className="flex items-center gap-3 pt-1 pb-3 text-micro font-semibold text-gold-text before:h-px before:flex-1 before:bg-gold after:h-px after:flex-1 after:bg-gold">
                          {t('newMessages')}
                        </p>
                      )}
                      {row.message?.systemLine ? (
                        <SystemLineText message={row.message} />
                      ) : (
                        <Bubble
                          row={row}
                          author={authorOf(row)}
                          isGroup={isGroup}
                          onRetry={() => onRetry(row.key)}
                          onDiscard={() => onDiscard(row.key)}
                        />
                      )}
                    </li>
                  )
                );
              })}
            </ol>
          </div>
        </div>
      </section>
      {(unseen || (isFar && isNewest)) && (
        <Button
          variant="outline"
          size="sm"
          iconOnly={!unseen}
          className="absolute! bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-raised"
          aria-label={unseen ? undefined : t('showNewest')}
          onClick={() => {
            toEnd();
            // The button disappears.
            pane.current?.focus({ preventScroll: true });
          }}
        >
          <ArrowDown className="icon-sm" />
          {unseen && t('newMessages')}
        </Button>
      )}
      <Announcement rows={rows} authorOf={authorOf} />
    </div>
  );
}

/** The estimated height of a row until it is drawn. */
function estimateHeight(row: Row | undefined): number {
  const lines = (row?.content ?? '')
    .split('\n')
    .reduce((sum, line) => sum + 1 + Math.floor(line.length / 60), 0);
  const pictures = row?.message?.pictures?.length || row?.files.some(({ kind }) => kind === 'picture');
  const attached = pictures ? 200 : row?.message?.file || row?.files.length ? 68 : 0;
  const parts = (row?.replyTo ? 62 : 0) + (row?.message?.reactions?.length ? 28 : 0) + attached;
  return 22 + lines * 24 + parts + (row?.startsDay ? 38 : 0) + (row?.startsUnread ? 32 : 0);
}

type Virtualizer = ReturnType<typeof useVirtualizer<HTMLElement, Element>>;

/** Opens at the end, or where more unread messages begin than fit, and stays at the end; when scrolled away, shows the way back. */
function useEnd(virtualizer: Virtualizer, pane: RefObject<HTMLElement | null>, rows: Row[]) {
  const atEnd = useRef(true);
  const [unseen, setUnseen] = useState(false);
  const [isFar, setFar] = useState(false);
  const last = rows.at(-1);
  const toEnd = useEffectEvent(() => virtualizer.scrollToEnd());

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first rows are there.
  useLayoutEffect(() => virtualizer.scrollToEnd(), []);

  const unreadKey = rows.find(({ startsUnread }) => startsUnread)?.key;
  const showUnread = useEffectEvent(() => {
    const from = rows.findIndex(({ key }) => key === unreadKey);
    const height = rows.slice(from).reduce((sum, row) => sum + estimateHeight(row), 0);
    if (!atEnd.current || height <= (pane.current?.clientHeight ?? 0)) return;
    atEnd.current = false;
    virtualizer.scrollToIndex(from, { align: 'start' });
  });
  // A thread that was cached gets its unread messages after it is shown.
  useLayoutEffect(() => {
    if (unreadKey !== undefined) showUnread();
  }, [unreadKey]);

  // A row may be taller than estimated: a list at its end stays there.
  const height = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the height has changed.
  useLayoutEffect(() => {
    const shown = pane.current;
    if (shown && atEnd.current) shown.scrollTo({ top: shown.scrollHeight });
  }, [height, pane]);

  const lastKey = last?.key;
  const written = useRef(lastKey);
  useEffect(() => {
    if (written.current === lastKey) return;
    written.current = lastKey;
    // Always scrolls to the member's own new message.
    if (last?.own) toEnd();
  }, [lastKey, last?.own]);

  // Not the last row: failed messages stay below new ones.
  const newest = rows.findLast(({ state }) => state === 'sent' || state === 'read');
  const newestKey = newest?.key;
  const arrived = useRef(newestKey);
  useEffect(() => {
    if (arrived.current === newestKey) return;
    arrived.current = newestKey;
    if (newest?.own) return;
    if (atEnd.current) toEnd();
    else setUnseen(true);
  }, [newestKey, newest?.own]);

  useEffect(() => {
    const shown = pane.current;
    if (!shown) return;
    // The composer grows or a keyboard opens: a list at its end stays there.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) toEnd();
    });
    observer.observe(shown);
    return () => observer.disconnect();
  }, [pane]);

  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = pane.current ?? {};
    atEnd.current = scrollHeight - scrollTop - clientHeight <= nearEnd;
    if (atEnd.current) setUnseen(false);
    setFar(scrollHeight - scrollTop > 2 * clientHeight);
  };
  const leaveEnd = () => {
    atEnd.current = false;
  };
  return { unseen, isFar, onScroll, toEnd: () => virtualizer.scrollToEnd(), leaveEnd };
}

/** Scrolls to the target each time it is to be shown, and returns the key of its row until another one is. */
function useShownTarget(virtualizer: Virtualizer, rows: Row[], target: Target, leaveEnd: () => void) {
  const at = target.id ? rows.findIndex(({ id }) => id === target.id) : -1;
  const key = rows[at]?.key ?? null;
  const show = useEffectEvent(() => {
    if (at < 0) return;
    leaveEnd();
    virtualizer.scrollToIndex(at, { align: 'center' });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is to be shown.
  useLayoutEffect(() => show(), [key, target.time]);
  return key;
}

/** Loads the page before the first message. */
function OlderButton({ id, threadKey }: { id: string; threadKey: QueryKey }) {
  const { t } = useTranslation(['messages', 'shell']);
  const queryClient = useQueryClient();
  const older = useMutation({ mutationFn: () => fetchOlder(queryClient, id, threadKey) });
  return (
    <div className="absolute inset-x-0 top-2 flex h-8 items-center justify-center gap-3 px-3 text-caption md:px-5">
      {older.isError ? (
        <>
          <p role="alert" className="text-destructive-text">
            {t('threadFailed')}
          </p>
          <button type="button" className="link reach font-medium" onClick={() => older.mutate()}>
            {t('shell:tryAgain')}
          </button>
        </>
      ) : (
        <LoadMoreButton
          within="[data-thread]"
          busy={older.isPending}
          failed={false}
          onMore={() => older.mutate()}
        >
          {t('earlier')}
        </LoadMoreButton>
      )}
    </div>
  );
}

/** Announces new messages of others to screen readers. */
function Announcement({ rows, authorOf }: { rows: Row[]; authorOf: (row: Row) => string }) {
  const { t } = useTranslation('messages');
  const last = rows.findLast(
    ({ state, message }) =>
      (state === 'sent' || state === 'read') && !message?.deleted && !message?.systemLine,
  );
  const [opened] = useState(last?.key);
  return (
    <p role="status" className="sr-only">
      {last && !last.own && last.key !== opened
        ? t('saidBy', { name: authorOf(last), text: last.content })
        : ''}
    </p>
  );
}
