// A member's text: web addresses, mentions and topics are links. Words that match a search are marked, in links too.
import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import type { Mention } from '@/api/schema.gen';
import { paths } from '@/paths';
import { Highlight } from '@/ui/highlight';
import { hiddenHost } from '@/web-address';
import { topicsIn } from './topic-text';
import { WebLink } from './web-link';
import { linksIn } from './web-links';

interface RichTextProps {
  children: string | null | undefined;
  /** The mentions in the text. A gateway of the previous release sends none. */
  mentions?: readonly Mention[];
  /** Topics are links too. */
  topics?: boolean;
  /** The colour of links on another background. */
  linkClassName?: string;
}

/** A part of the text that is a link. */
interface Part {
  start: number;
  end: number;
  link: (shown: ReactNode) => ReactNode;
}

export function RichText({ children: text, mentions, topics, linkClassName }: RichTextProps) {
  const parts = useMemo(
    () => partsOf(text ?? '', { mentions, topics, linkClassName }),
    [text, mentions, topics, linkClassName],
  );
  if (!text || parts.length === 0) return <Highlight>{text}</Highlight>;
  const drawn: ReactNode[] = [];
  let end = 0;
  for (const part of parts) {
    drawn.push(
      <Fragment key={part.start}>
        <Highlight>{text.slice(end, part.start)}</Highlight>
        {part.link(<Highlight>{text.slice(part.start, part.end)}</Highlight>)}
      </Fragment>,
    );
    end = part.end;
  }
  return (
    <>
      {drawn}
      <Highlight>{text.slice(end)}</Highlight>
    </>
  );
}

/** A host may look like another one: then its link also has the name that the browser asks for. */
function HiddenHost({ shown, href }: { shown: string; href: string }) {
  const host = hiddenHost(shown, href);
  return host && ` (${host})`;
}

/** In the order of the text, without overlaps: a name may look like an address. */
function partsOf(
  text: string,
  { mentions = [], topics, linkClassName }: Omit<RichTextProps, 'children'>,
): Part[] {
  const named = mentions
    .filter(({ name, start, end }) => text.slice(start, end) === `@${name}`)
    .map(({ id, start, end }) => ({
      start,
      end,
      link: (shown: ReactNode) => (
        <Link to={paths.profile(id)} className="link font-semibold">
          {shown}
        </Link>
      ),
    }));
  const addresses = linksIn(text).map(({ start, end, href }) => ({
    start,
    end,
    link: (shown: ReactNode) => (
      <WebLink href={href} className={linkClassName}>
        {shown}
        <HiddenHost shown={text.slice(start, end)} href={href} />
      </WebLink>
    ),
  }));
  const tagged = (topics ? topicsIn(text) : []).map(({ start, end, topic }) => ({
    start,
    end,
    link: (shown: ReactNode) => (
      <Link to={paths.topic(topic)} className="link font-medium">
        {shown}
      </Link>
    ),
  }));
  const parts: Part[] = [];
  // A mention comes before an address at the same place.
  for (const part of [...named, ...addresses, ...tagged].sort((one, other) => one.start - other.start))
    if (part.start >= (parts.at(-1)?.end ?? 0)) parts.push(part);
  return parts;
}
