// The list below the search box: a few suggestions of every kind, and a link to all results.
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Highlight } from '@/ui/highlight';
import { TermHighlights } from '@/ui/term-highlights';
import type { SearchSuggestion, SuggestionGroup } from './suggestion-groups';

interface SuggestionsProps {
  /** The prefix of the ids. */
  id: string;
  q: string;
  groups: SuggestionGroup[];
  terms: string[];
  /** The id of the active option. */
  active: string | null;
  onChoose: (to: string) => void;
  /** The address of all results. */
  all: string;
}

/** Returns the id of an option; without a key, of the last option, all results. */
export const optionId = (id: string, key = 'all') => `${id}-${key}`;

/** Needs the texts of `search`. The focus stays in the box: options use `aria-activedescendant`. */
export function Suggestions({ id, q, groups, terms, active, onChoose, all }: SuggestionsProps) {
  const { t } = useTranslation('search');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('suggestions')}
      // The box keeps the focus during a click.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      tabIndex={-1}
      className="floating animate-float absolute top-full right-0 mt-2 max-h-120 w-[22.5rem] max-w-[calc(100vw-1.5rem)] overflow-y-auto p-1.5"
    >
      <TermHighlights value={terms}>
        {groups.map(({ kind, options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields.
          <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
            <div
              id={`${id}-${kind}`}
              role="presentation"
              className="px-2.5 pt-2 pb-1 text-micro text-muted-foreground"
            >
              {t(kind)}
            </div>
            {options.map((option) => (
              <Option key={option.key} id={id} option={option} active={active} onChoose={onChoose} />
            ))}
          </div>
        ))}
      </TermHighlights>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focused box refers to it by aria-activedescendant. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys. */}
      <div
        id={optionId(id)}
        role="option"
        aria-selected={active === optionId(id)}
        onClick={() => onChoose(all)}
        className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-2 text-ui font-medium ${groups.length > 0 ? 'mt-1.5' : ''} ${active === optionId(id) ? 'bg-selected' : 'hover:bg-hover'}`}
      >
        <Search className="icon-sm text-muted-foreground" />
        <span className="min-w-0 wrap-anywhere">{t('all', { q })}</span>
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  option: SearchSuggestion;
  active: string | null;
  onChoose: (to: string) => void;
}

function Option({ id, option: { key, title, about, to, person }, active, onChoose }: OptionProps) {
  const chosen = active === optionId(id, key);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focused box refers to it by aria-activedescendant.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
    <div
      id={optionId(id, key)}
      role="option"
      aria-selected={chosen}
      onClick={() => onChoose(to)}
      className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 ${chosen ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      {person && <Avatar user={person} size={32} decorative />}
      <span className="min-w-0">
        <span className="block truncate text-ui font-medium">
          <Highlight>{title}</Highlight>
        </span>
        {about && (
          <span className="block truncate text-micro text-muted-foreground">
            <Highlight>{about}</Highlight>
          </span>
        )}
      </span>
    </div>
  );
}
