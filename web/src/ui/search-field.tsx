// A search field that reports its text on Enter and on blur and, where wanted, while the member types.
import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';

interface SearchFieldProps {
  /** The accessible name and the placeholder. */
  label: string;
  /** The current search. */
  value: string;
  /** Called with the new trimmed text. */
  onSearch: (text: string) => void;
  /** Milliseconds without a change after which the text is reported; absent: only on Enter and on blur. */
  pause?: number;
  className?: string;
}

export function SearchField({ label, value, onSearch, pause, className = '' }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  /** Reported texts that have not come back as `value`: the member may have typed on meanwhile. */
  const [reported, setReported] = useState<string[]>([]);
  if (value !== known) {
    setKnown(value);
    const at = reported.indexOf(value);
    setReported(at < 0 ? [] : reported.slice(at + 1));
    // Changed from outside, for example by Back. Remounting by key would remove the focus.
    if (at < 0) setText(value);
  }
  const report = () => {
    const next = text.trim();
    if (next === (reported.at(-1) ?? value)) return;
    setReported([...reported, next]);
    onSearch(next);
  };
  const reportLatest = useEffectEvent(report);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause anew.
  useEffect(() => {
    if (pause === undefined) return;
    const timer = setTimeout(reportLatest, pause);
    return () => clearTimeout(timer);
  }, [text, pause]);
  const finish = () => {
    setText(text.trim());
    report();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish();
  };
  return (
    <search className={`relative ${className}`}>
      <form onSubmit={submit}>
        <Search className="icon-sm pointer-events-none absolute top-3 left-3 text-muted-foreground" />
        <input
          type="search"
          className="input pl-9"
          placeholder={label}
          aria-label={label}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={finish}
        />
      </form>
    </search>
  );
}
