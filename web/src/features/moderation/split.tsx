// A list and the chosen item: beside each other from 1024 px on, one after the other below.
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';

interface SplitProps {
  list: ReactNode;
  /** Null: nothing is chosen. */
  detail: ReactNode | null;
  /** Beside the list while nothing is chosen. */
  hint: string;
  back: { to: To; label: string };
}

export function Split({ list, detail, hint, back }: SplitProps) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className={detail ? 'max-lg:hidden' : ''}>{list}</div>
      {detail ? (
        <div className="min-w-0">
          <Link
            to={back.to}
            className="link mb-3 inline-flex min-h-6 items-center gap-1 text-caption font-medium lg:hidden"
          >
            <ArrowLeft className="icon-sm" />
            {back.label}
          </Link>
          {detail}
        </div>
      ) : (
        <p className="px-5 py-10 text-center text-ui text-muted-foreground max-lg:hidden">{hint}</p>
      )}
    </div>
  );
}
