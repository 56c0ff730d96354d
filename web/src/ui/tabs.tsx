// A row of tabs with the gold line, based on Radix for keyboard and roles.
import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { Count } from './count';

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  count?: number;
  /** There are more than `count`. */
  more?: boolean;
  disabled?: boolean;
}

interface TabsProps<Value extends string> {
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The accessible name of the row. */
  label?: string;
  /** Classes of the row, for margins. */
  className?: string;
  /** Classes of an element around the row, which the fade at the end of the row leaves alone: a card. */
  frameClassName?: string;
  /** Classes of row and panels together, for a panel that scrolls by itself. */
  rootClassName?: string;
  /** The panels: `<TabPanel value=...>`. */
  children: ReactNode;
}

export function Tabs<Value extends string>({
  tabs,
  value,
  onChange,
  label,
  className = '',
  frameClassName,
  rootClassName,
  children,
}: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the active one.
  useEffect(() => {
    const list = row.current;
    const active = list?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!list || !active) return;
    // Called after layout, at first and when a count widens any tab. Reading sizes in the effect itself would force a layout.
    const observer = new ResizeObserver(() => {
      if (list.scrollWidth <= list.clientWidth) return;
      const left = active.offsetLeft - list.offsetLeft;
      list.scrollTo({ left: left - list.clientWidth / 2 + active.offsetWidth / 2 });
    });
    for (const tab of list.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [value]);

  const list = (
    <Radix.List ref={row} aria-label={label} className={`tabs ${className}`}>
      {tabs.map((tab) => (
        <Radix.Trigger key={tab.value} value={tab.value} disabled={tab.disabled} className="tab">
          {tab.label}
          {tab.count !== undefined && <Count value={tab.count} more={tab.more} />}
        </Radix.Trigger>
      ))}
    </Radix.List>
  );
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)} className={rootClassName}>
      {frameClassName ? <div className={frameClassName}>{list}</div> : list}
      {children}
    </Radix.Root>
  );
}

export const TabPanel = Radix.Content;
