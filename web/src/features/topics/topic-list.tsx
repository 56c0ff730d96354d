// A card of topics with links to their pages.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '@/paths';
import { Card } from '@/ui/card';

interface TopicListProps {
  title: string;
  topics: readonly { topic: string; about?: string }[];
  /** Replaces an empty list. */
  empty: ReactNode;
}

export function TopicList({ title, topics, empty }: TopicListProps) {
  return (
    <Card className="overflow-hidden" aria-label={title}>
      <h2 className="px-5 pt-4 pb-2 font-serif text-heading">{title}</h2>
      {topics.length === 0 ? (
        <p className="px-5 pb-5 text-ui text-muted-foreground">{empty}</p>
      ) : (
        <ul className="pb-2">
          {topics.map(({ topic, about }) => (
            <li key={topic}>
              <Link
                to={paths.topic(topic)}
                className="flex min-h-11 items-center justify-between gap-3 px-5 py-1.5 text-ui -outline-offset-2 hover:bg-hover"
              >
                <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
                  #{topic}
                </span>
                {about && <span className="shrink-0 text-caption text-muted-foreground">{about}</span>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
