// A row of the queue or of the appeals: a link, reached with J and K too.
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { RelativeTime } from '@/ui/relative-time';
import { textWithMentions } from './mentions';

interface RowProps {
  to: To;
  isChosen: boolean;
  title: ReactNode;
  /** A short text at the end of the first line. */
  mark?: ReactNode;
  excerpt: string;
  about: ReactNode;
  at: string;
}

export function Row({ to, isChosen, title, mark, excerpt, about, at }: RowProps) {
  const { t } = useTranslation('moderation');
  return (
    <li>
      <Link
        to={to}
        data-key-item=""
        aria-current={isChosen ? 'true' : undefined}
        className={`block px-5 py-3 text-ui -outline-offset-2 hover:bg-hover ${isChosen ? 'bg-selected' : ''}`}
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-semibold wrap-anywhere">{title}</span>
          {mark && <span className="shrink-0 text-caption text-muted-foreground">{mark}</span>}
        </span>
        <span dir="auto" className="mt-0.5 line-clamp-2 wrap-anywhere">
          {textWithMentions(excerpt).map(({ text, memberId }) => (memberId ? t('mention') : text))}
        </span>
        <span className="mt-0.5 block text-caption text-muted-foreground">
          {about} · <RelativeTime at={at} />
        </span>
      </Link>
    </li>
  );
}
