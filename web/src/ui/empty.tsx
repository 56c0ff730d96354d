// The empty state of a list, alone or in a card.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card';

interface EmptyProps {
  icon: LucideIcon;
  title: ReactNode;
  /** A second sentence. */
  hint?: ReactNode;
  /** One button, if the specification names one. */
  action?: ReactNode;
  className?: string;
}

export function Empty({ icon: Icon, title, hint, action, className = '' }: EmptyProps) {
  return (
    <div className={`flex flex-col items-center px-4 py-10 text-center ${className}`}>
      <span className="grid size-14 place-items-center rounded-full bg-muted text-gold-text">
        <Icon className="icon-lg" />
      </span>
      <p className="mt-4 font-serif text-[1.125rem] leading-6 font-semibold text-balance">{title}</p>
      {hint && <p className="mt-1 max-w-80 text-body text-pretty text-muted-foreground">{hint}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export function EmptyCard(props: EmptyProps) {
  return (
    <Card>
      <Empty {...props} />
    </Card>
  );
}
