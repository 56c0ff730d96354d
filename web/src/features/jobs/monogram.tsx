// The employer's initials in a tile.
import { initials } from '@/ui/avatar';

interface MonogramProps {
  company: string;
  /** Its size, and where it is hidden: a list on a phone has no room for it. */
  className?: string;
}

export function Monogram({ company, className = 'size-12 max-sm:hidden' }: MonogramProps) {
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-md border font-serif text-[1.0625rem] font-semibold ${className}`}
    >
      {initials(company)}
    </span>
  );
}
