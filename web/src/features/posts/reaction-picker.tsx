// The five reactions in a row above the Like button: arrow keys move, Enter selects, Escape closes.
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ReactionType } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { reactions } from './reactions';

interface ReactionPickerProps {
  mine: ReactionType | null;
  /** Opened by a key: takes the focus. */
  focus: boolean;
  onChoose: (type: ReactionType) => void;
  /** `back` if the focus has to return to the Like button. */
  onClose: (back: boolean) => void;
}

export function ReactionPicker({ mine, focus, onChoose, onClose }: ReactionPickerProps) {
  const { t } = useTranslation('posts');
  const bar = useRef<HTMLDivElement>(null);
  const first = Math.max(
    0,
    reactions.findIndex(([type]) => type === mine),
  );
  const focusOn = (at: number) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    buttons[(at + buttons.length) % buttons.length]?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens.
  useEffect(() => {
    if (focus) focusOn(first);
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, () => void> = {
      ArrowRight: () => focusOn(at + 1),
      ArrowLeft: () => focusOn(at - 1),
      Home: () => focusOn(0),
      End: () => focusOn(-1),
      Escape: () => onClose(true),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('reactions')}
      aria-orientation="horizontal"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onClose(false);
      }}
      className="floating animate-float absolute bottom-full left-0 mb-1 flex gap-0.5 rounded-full! p-1"
    >
      {reactions.map(([type, Icon], at) => (
        <button
          key={type}
          type="button"
          aria-label={t(`reaction.${type}`)}
          aria-pressed={mine === type}
          tabIndex={at === first ? 0 : -1}
          onClick={() => onChoose(type)}
          className={`group relative grid size-11 cursor-pointer place-items-center rounded-full hover:bg-hover ${mine === type ? 'bg-selected text-gold-text' : ''}`}
        >
          <Icon className={`icon ${mine === type ? 'fill-gold/30' : ''}`} />
          {/* Not a Tooltip: that component remounts its children when its code arrives, and this element has the focus. */}
          <span
            aria-hidden="true"
            className="pointer-events-none absolute bottom-full left-1/2 mb-1.5 -translate-x-1/2 rounded-sm bg-ink px-2 py-1 text-micro whitespace-nowrap text-on-ink opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          >
            {t(`reaction.${type}`)}
          </span>
        </button>
      ))}
    </div>
  );
}
