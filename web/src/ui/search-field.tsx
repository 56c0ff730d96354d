// A search field that reports its text on Enter and on blur.
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';

interface SearchFieldProps {
  /** The accessible name and the placeholder. */
  label: string;
  /** The current search. */
  value: string;
  /** Called with the new trimmed text. */
  onSearch: (text: string) => void;
  className?: string;
}

export function SearchField({ label, value, onSearch, className = '' }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Changed from outside, for example by Back. Remounting by key would remove the focus.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const finish = () => {
    if (text.trim() !== value) onSearch(text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish();
  };
  return (
    <search className={`relative ${className}`}>
      <form onSubmit={submit}>
        <Search
          className="icon-sm pointer-events-none absolute top-3 left-3 text-muted-foreground"
          aria-hidden="true"
        />
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
