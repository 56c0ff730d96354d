// The brand ornament: line numbers and the embossed seal on an ink panel of class `brand-ornament`.
import { markPath } from './logo';

export function LineNumbers({ count, className }: { count: number; className: string }) {
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute inset-y-0 left-0 translate-y-0.5 select-none overflow-hidden text-right text-[0.6875rem] leading-6 tabular-nums text-on-ink-faint md:leading-8 ${className}`}
    >
      {Array.from({ length: count }, (_, line) => line + 1).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

const rim = scallop(60, 98.5, 94.5);

/** The classes set position and size. */
export function Seal({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" className={`pointer-events-none absolute ${className}`}>
      <path d={rim} fill="var(--ink)" stroke="var(--ink-raised)" strokeWidth="2" strokeLinejoin="round" />
      <circle cx="100" cy="100" r="83" fill="none" stroke="var(--ink-raised)" strokeWidth="1.5" />
      <circle cx="100" cy="100" r="77" fill="none" stroke="var(--ink-raised)" strokeWidth="3.5" />
      <g transform="translate(100 100) scale(3.6) translate(-16.4 -16)">
        <path d={markPath} fill="var(--ink-raised)" />
        <circle cx="17" cy="13.1" r="3.7" fill="var(--ink)" />
      </g>
    </svg>
  );
}

/** A closed zigzag of `teeth` points between two radii around (100, 100). */
function scallop(teeth: number, outer: number, inner: number): string {
  const points = Array.from({ length: teeth * 2 }, (_, corner) => {
    const angle = (Math.PI * corner) / teeth;
    const radius = corner % 2 ? inner : outer;
    return `${(100 + radius * Math.sin(angle)).toFixed(1)} ${(100 - radius * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${points.join('L')}Z`;
}
