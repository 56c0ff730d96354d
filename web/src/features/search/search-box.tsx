// The search box of the header, a combobox of the ARIA pattern: suggestions while typing; Enter opens the selected option
// or the search screen.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { queryLimits } from '@/api/query-limits.gen';
import { suggestQuery } from '@/api/search';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { lazy } from '@/ui/lazy';
import { useDebounced } from '@/ui/use-debounced';
import { groupsOf } from './suggestion-groups';

/** The debounce of the suggestions, in milliseconds. */
const pause = 200;
/** The maximum query length on the server. */
const longest = queryLimits.search.q.max;

const Suggestions = lazy(async () => (await withTexts(import('./suggestions'), 'search')).Suggestions);

export function SearchBox() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  /** The index of the active option; -1 is the box. */
  const [at, setAt] = useState(-1);
  const q = text.trim();
  const asked = useDebounced(q, pause);
  const { data } = useQuery({
    ...suggestQuery(asked),
    enabled: open && asked !== '',
    placeholderData: keepPreviousData,
  });

  const shown = open && q !== '' && asked !== '' && data !== undefined;
  const groups = shown ? groupsOf(data) : [];
  const all = paths.search(q);
  // The last option links to all results.
  const options = [
    ...groups.flatMap((group) => group.options.map(({ key, to }) => ({ id: `${id}-${key}`, to }))),
    { id: `${id}-all`, to: all },
  ];
  const active = shown ? (options[at] ?? null) : null;

  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const go = (to: string) => {
    close();
    if (to !== all) setText('');
    void navigate(to);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (q) go(active?.to ?? all);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Arrow keys and Enter also control the suggestions of an input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && shown) {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!shown) return setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // In a circle: after the last option comes the box, then the first option.
      const places = options.length + 1;
      setAt(((at + 1 + step + places) % places) - 1);
    }
  };

  return (
    <search className="relative mr-1 hidden w-(--header-search) shrink-99 md:block">
      <form onSubmit={submit}>
        <Search className="icon-sm pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground" />
        <input
          type="search"
          role="combobox"
          aria-label={t('nav.search')}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? id : undefined}
          aria-activedescendant={active?.id}
          aria-keyshortcuts="/"
          autoComplete="off"
          placeholder={t('nav.searchPlaceholder')}
          maxLength={longest}
          className="search-input h-9 w-full rounded-md bg-muted pr-3 pl-9 text-ui placeholder:text-ellipsis"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setOpen(true);
            setAt(-1);
          }}
          onFocus={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
      </form>
      {shown && (
        <Suggestions
          id={id}
          q={q}
          groups={groups}
          terms={data.terms}
          active={active?.id ?? null}
          onChoose={go}
          all={all}
        />
      )}
    </search>
  );
}
