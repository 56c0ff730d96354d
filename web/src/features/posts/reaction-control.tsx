// A button that sets the signed-in member's like, or removes their reaction. A long press, hover, or ArrowUp opens the other
// reactions.
import { ChevronUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ReactionType } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';
import type { Reaction } from './use-reaction';

const ReactionPicker = lazy(async () => (await import('./reaction-picker')).ReactionPicker);

/** Milliseconds of hover or press until the reactions open. */
const openAfter = 500;
/** Milliseconds until the reactions close after the pointer has left. */
const closeAfter = 300;

interface ButtonProps {
  ref: Ref<HTMLButtonElement>;
  className: string;
  'aria-pressed': boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface ReactionControlProps extends Pick<Reaction, 'mine' | 'set'> {
  /** Of the hidden button for keyboard and screen reader. */
  openerClassName: string;
  /** The button, given its behaviour and look. */
  children: (button: ButtonProps) => ReactNode;
}

export function ReactionControl({ mine, set, openerClassName, children }: ReactionControlProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const picker = usePicker(user !== null);
  const choose = (type: ReactionType) => {
    picker.close(true);
    if (type !== mine) set(type);
  };

  return (
    <div {...picker.area} className="relative grid">
      {children({
        ref: picker.button,
        className: `touch-manipulation select-none ${mine ? 'font-semibold text-gold-text!' : ''}`,
        'aria-pressed': mine !== null,
        onClick: () => {
          if (picker.wasHeld()) return;
          picker.close(false);
          set(mine ? null : 'like');
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowUp' || !user) return;
          event.preventDefault();
          picker.openByKey();
        },
      })}
      {user && (
        // For keyboard and screen reader; visible while focused.
        <button
          type="button"
          aria-label={t('otherReactions')}
          aria-haspopup="true"
          aria-expanded={picker.isOpen}
          onClick={picker.openByKey}
          className={`pointer-events-none absolute top-1/2 grid size-6 -translate-y-1/2 place-items-center rounded-sm bg-card opacity-0 focus-visible:opacity-100 ${openerClassName}`}
        >
          <ChevronUp className="icon-sm" />
        </button>
      )}
      {picker.isOpen && (
        <ReactionPicker mine={mine} focus={picker.byKey} onChoose={choose} onClose={picker.close} />
      )}
    </div>
  );
}

/** Opens and closes the reactions; inert if not `enabled`. */
function usePicker(enabled: boolean) {
  const [state, setState] = useState<{ isOpen: boolean; byKey: boolean }>({ isOpen: false, byKey: false });
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const held = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const later = (milliseconds: number, act: () => void) => {
    clearTimeout(timer.current);
    if (!enabled) return;
    void ReactionPicker.load();
    timer.current = setTimeout(act, milliseconds);
  };
  const open = () => setState({ isOpen: true, byKey: false });
  const close = (back: boolean) => {
    clearTimeout(timer.current);
    setState({ isOpen: false, byKey: false });
    if (back) button.current?.focus();
  };
  const touches = ({ pointerType }: PointerEvent) => pointerType !== 'mouse';
  return {
    ...state,
    button,
    close,
    openByKey: () => enabled && setState({ isOpen: true, byKey: true }),
    /** Whether the press that ends was a long press, which opened the reactions and is not a like. */
    wasHeld: () => {
      const was = held.current;
      held.current = false;
      return was;
    },
    area: {
      onPointerEnter: (event: PointerEvent) => {
        if (!touches(event)) later(openAfter, open);
      },
      onPointerLeave: (event: PointerEvent) => {
        if (touches(event)) clearTimeout(timer.current);
        else if (!state.byKey) later(closeAfter, () => close(false));
      },
      onPointerDown: (event: PointerEvent) => {
        held.current = false;
        if (!touches(event) || state.isOpen) return;
        later(openAfter, () => {
          held.current = true;
          open();
        });
      },
      onPointerUp: (event: PointerEvent) => {
        if (touches(event)) clearTimeout(timer.current);
      },
      // Suppresses the context menu of a long press on a phone.
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (held.current) event.preventDefault();
      },
    },
  };
}
