// A text field that completes names after an `@`: a list of members below it, controlled from the field, while a name is typed.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Person } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { focusWithTyped } from '@/ui/type-ahead';
import { useDebounced } from '@/ui/use-debounced';
import { MentionList } from './mention-list';
import { nameBeingTyped } from './mention-text';
import { peopleToMentionQuery } from './people-to-mention';
import { isTooLong, TextLength } from './text-length';
import type { Mentions } from './use-mentions';

/** The debounce of the search, in milliseconds. */
const pause = 200;

interface MentionTextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'ref'> {
  value: string;
  /** The field accepts a longer text and says so; the form does not send it. */
  maxLength: number;
  mentions: Mentions;
  onText: (text: string) => void;
  field?: ComponentProps<'textarea'>['ref'];
}

export function MentionTextArea({
  value,
  mentions,
  onText,
  field,
  onKeyDown,
  autoFocus,
  maxLength,
  'aria-describedby': hint = '',
  ...rest
}: MentionTextAreaProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const list = useId();
  const length = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  /** The `@` whose list was closed. */
  const [closed, setClosed] = useState<number | null>(null);
  const typed =
    user && caret !== null && !rest.readOnly ? nameBeingTyped(value, caret, mentions.chosen) : null;
  const query = typed && typed.start !== closed ? typed.query : '';
  const asked = useDebounced(query, pause);
  const { data = [] } = useQuery({
    ...peopleToMentionQuery(asked, user?.id ?? ''),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const people = query && asked ? data : [];
  const isOpen = people.length > 0;
  const at = Math.min(active, people.length - 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears.
  useLayoutEffect(() => {
    const shown = area.current;
    if (!autoFocus || !shown) return;
    // After a draft or the text that is changed.
    shown.setSelectionRange(shown.value.length, shown.value.length);
    focusWithTyped(shown);
  }, []);

  // The text that contains the chosen name is in the field only after the next drawing.
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current === null) return;
    area.current?.setSelectionRange(next.current, next.current);
    next.current = null;
  });

  const choose = ({ id, fullName: name }: Person) => {
    if (!typed || caret === null) return;
    const before = `${value.slice(0, typed.start)}@${name} `;
    const after = value.slice(caret);
    const text = before + (after.startsWith(' ') ? after.slice(1) : after);
    mentions.choose({ id, name });
    onText(text);
    next.current = before.length;
    setCaret(null);
    area.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const person = people[at];
    // Arrow keys and Enter also control the suggestions of an input method.
    if (!person || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey)
      return onKeyDown?.(event);
    if (event.key === 'ArrowDown') setActive((at + 1) % people.length);
    else if (event.key === 'ArrowUp') setActive((at - 1 + people.length) % people.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) choose(person);
    else if (event.key === 'Escape') setClosed(typed?.start ?? null);
    else return onKeyDown?.(event);
    event.preventDefault();
  };
  const follow = ({ selectionStart, selectionEnd }: HTMLTextAreaElement) =>
    setCaret(selectionStart === selectionEnd ? selectionStart : null);

  return (
    <>
      <textarea
        dir="auto"
        {...rest}
        aria-invalid={isTooLong(value, maxLength) || undefined}
        aria-describedby={`${hint} ${length}`.trim()}
        ref={(element) => {
          area.current = element;
          if (typeof field === 'function') field(element);
          else if (field) field.current = element;
        }}
        value={value}
        onChange={({ target }) => {
          onText(target.value);
          follow(target);
          setActive(0);
          if (closed !== null && target.value.charAt(closed) !== '@') setClosed(null);
        }}
        onSelect={({ currentTarget }) => follow(currentTarget)}
        onBlur={() => setCaret(null)}
        onKeyDown={onKey}
        // HTML allows no role on a text area: it stays a text box, which has all of a combobox but aria-expanded.
        {...(isOpen && {
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'data-suggesting': true,
          'aria-controls': list,
          'aria-activedescendant': `${list}-${at}`,
        })}
      />
      <TextLength id={length} text={value} maxLength={maxLength} />
      {isOpen && <MentionList id={list} people={people} active={at} onChoose={choose} />}
      {typed && (
        <span role="status" className="sr-only">
          {isOpen && t('mention.found', { count: people.length })}
        </span>
      )}
    </>
  );
}
