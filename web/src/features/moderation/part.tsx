// A titled part of a case, and a quoted text of a member.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { textWithMentions } from './mentions';

export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-3">
      <p className="text-caption font-semibold text-muted-foreground">{title}</p>
      {children}
    </div>
  );
}

/** A text of a member with its line breaks, and a link for each mention. */
export function Quote({ children }: { children: string }) {
  const { t } = useTranslation('moderation');
  return (
    <blockquote
      dir="auto"
      className="mt-1 border-l-2 border-gold pl-3 text-ui whitespace-pre-wrap wrap-anywhere"
    >
      {textWithMentions(children).map(({ at, text, memberId }) =>
        memberId ? (
          <Link key={at} className="link" to={paths.profile(memberId)}>
            {t('mention')}
          </Link>
        ) : (
          text
        ),
      )}
    </blockquote>
  );
}
