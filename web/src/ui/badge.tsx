// Small labels with a colour per meaning.
import type { ReactNode } from 'react';

const tones = {
  blue: 'bg-status-blue text-status-blue-foreground',
  purple: 'bg-status-purple text-status-purple-foreground',
  green: 'bg-status-green text-status-green-foreground',
  grey: 'bg-status-grey text-status-grey-foreground',
};

export function Badge({ tone = 'grey', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return <span className={`badge ${tones[tone]}`}>{children}</span>;
}
