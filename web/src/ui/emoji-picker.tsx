// biome-ignore-all lint/a11y/useSemanticElements: a grid of buttons is no table.
// The emoji picker: a search field, and a grid that arrow keys walk through.
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactElement, useMemo, useRef, useState } from 'react';
import { addTexts } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import en from '@/locales/en/emoji.json';
import fil from '@/locales/fil/emoji.json';
import { type Emoji, inRows, searchEmoji } from './emoji-search';
import { insertText } from './insert-text';

interface EmojiPickerProps {
  trigger: ReactElement;
  fieldId: string;
}

const columns = 8;

/** Opens when it mounts. */
export function EmojiPicker({ trigger, fieldId }: EmojiPickerProps) {
  const { t } = useTranslation('emoji');
  const [open, setOpen] = useState(true);
  const isChosen = useRef(false);
  const field = () => document.getElementById(fieldId) as HTMLTextAreaElement | null;
  const choose = ({ char }: Emoji) => {
    const target = field();
    if (target) insertText(target, char);
    isChosen.current = true;
    setOpen(false);
  };
  return (
    // Modal: inside a dialog, only a modal panel can be scrolled.
    <Popover.Root modal open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t('title')}
          onCloseAutoFocus={(event) => {
            if (!isChosen.current) return;
            isChosen.current = false;
            event.preventDefault();
            field()?.focus();
          }}
          className="floating animate-float z-(--z-tooltip)! flex w-[21.5rem] max-w-[calc(100vw-1rem)] flex-col p-2"
        >
          <Panel onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The row, counted over all groups, and the column. */
type Position = [row: number, column: number];

function Panel({ onChoose }: { onChoose: (emoji: Emoji) => void }) {
  const { t, i18n } = useTranslation('emoji');
  const [query, setQuery] = useState('');
  const [[row, column], setPosition] = useState<Position>([0, 0]);
  const grid = useRef<HTMLDivElement>(null);
  const groups = useMemo(
    () => searchEmoji(query).map(({ group, emoji }) => ({ group, rows: inRows(emoji, columns) })),
    [query],
  );
  const rows = groups.flatMap((group) => group.rows);
  const current = rows[row]?.[column];
  const nameOf = (emoji: Emoji) => (i18n.language === 'fil' ? emoji.fil : emoji.en);

  const focus = (toRow: number, toColumn: number) => {
    const to = Math.min(Math.max(toRow, 0), rows.length - 1);
    const position: Position = [to, Math.min(Math.max(toColumn, 0), (rows[to]?.length ?? 1) - 1)];
    setPosition(position);
    grid.current?.querySelector<HTMLElement>(`[data-at="${position}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const length = rows[row]?.length ?? 0;
    const steps: Record<string, Position> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: column + 1 < length ? [row, column + 1] : [row + 1, row + 1 < rows.length ? 0 : column],
      ArrowLeft: column > 0 ? [row, column - 1] : [row - 1, row > 0 ? columns : 0],
      Home: [row, 0],
      End: [row, length - 1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    focus(...step);
  };
  let at = -1;
  return (
    <>
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        autoComplete="off"
        className="input"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setPosition([0, 0]);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && rows.length > 0) {
            event.preventDefault();
            focus(0, 0);
          } else if (event.key === 'Enter' && rows[0]?.[0]) {
            event.preventDefault();
            onChoose(rows[0][0]);
          }
        }}
      />
      <p role="status" className="sr-only">
        {query && t('found', { count: rows.flat().length })}
      </p>
      {rows.length === 0 && (
        <p className="px-2 py-6 text-center text-ui text-muted-foreground">{t('none')}</p>
      )}
      <div
        ref={grid}
        role="grid"
        aria-label={t('title')}
        tabIndex={-1}
        className="mt-2 h-60 overflow-y-auto overscroll-contain empty:hidden"
        onKeyDown={onKeyDown}
      >
        {groups.map(({ group, rows: own }) => (
          <div key={group} role="rowgroup" aria-label={t(`group.${group as 'smileys'}`)}>
            <p aria-hidden="true" className="px-1 py-1 text-micro font-medium text-muted-foreground">
              {t(`group.${group as 'smileys'}`)}
            </p>
            {own.map((entries) => {
              at += 1;
              const own = at;
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the cells of the row have the focus.
                <div key={entries[0]?.char} role="row" className="grid grid-cols-8">
                  {entries.map((emoji, n) => (
                    <button
                      key={emoji.char}
                      type="button"
                      role="gridcell"
                      aria-label={nameOf(emoji)}
                      title={nameOf(emoji)}
                      data-at={`${own},${n}`}
                      tabIndex={own === row && n === column ? 0 : -1}
                      className="grid h-10 cursor-pointer place-items-center rounded-md text-[1.375rem] hover:bg-hover focus-visible:-outline-offset-2"
                      onFocus={() => setPosition([own, n])}
                      onClick={() => onChoose(emoji)}
                    >
                      {emoji.char}
                    </button>
                  ))}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p aria-hidden="true" className="truncate px-1 pt-1.5 text-caption text-muted-foreground">
        {current ? `${current.char} ${nameOf(current)}` : '\u00a0'}
      </p>
    </>
  );
}

// Part of this code, because every screen with a text field can have it.
addTexts('emoji', { en, fil });
