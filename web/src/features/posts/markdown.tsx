// An article's text: a small part of Markdown, drawn as elements and never as HTML.
import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '@/paths';
import { webAddress } from '@/web-address';
import { topicsIn } from './text/topic-text';
import { WebLink } from './text/web-link';

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'quote' | 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'rule' };

// The patterns match the beginning of a line only: two parts of one pattern that both take spaces try every way to
// share them, and a line of forty thousand spaces would block the page for minutes.
const lines = /\r?\n|[\u2028\u2029]/;
const heading = /^(#{1,3})\s/;
const rule = /^(?:-{3,}|\*{3,})$/;
const bullet = /^[-*+]\s/;
const numbered = /^\d{1,9}[.)]\s/;
const quote = /^>\s?/;
const fence = /^```/;

/** The line without its mark. */
const after = (mark: RegExpExecArray, line: string) => line.slice(mark[0].length).trim();

/** A title may be closed by as many marks as it likes. */
function titleOf(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return text.slice(0, end).trim();
}

/** Headings (# to ###), lists, quotes, rules, fenced code, and paragraphs of everything else, line by line. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | null = null;
  let open = false;
  /** Continues the last block while nothing has ended it. */
  const add = (kind: 'paragraph' | 'quote', line: string) => {
    const last = blocks.at(-1);
    if (open && last?.kind === kind) last.text += `\n${line}`;
    else blocks.push({ kind, text: line });
    open = true;
  };
  const item = (ordered: boolean, line: string) => {
    const last = blocks.at(-1);
    if (open && last?.kind === 'list' && last.ordered === ordered) last.items.push(line);
    else blocks.push({ kind: 'list', ordered, items: [line] });
    open = true;
  };
  for (const raw of text.split(lines)) {
    if (code) {
      if (fence.test(raw)) {
        blocks.push({ kind: 'code', text: code.join('\n') });
        code = null;
      } else code.push(raw);
      continue;
    }
    const line = raw.trim();
    const [marked, dotted, counted, quoted] = [heading, bullet, numbered, quote].map((mark) =>
      mark.exec(line),
    );
    const title = marked && titleOf(after(marked, line));
    if (fence.test(line)) code = [];
    else if (title) blocks.push({ kind: 'heading', level: marked[1]?.length ?? 1, text: title });
    else if (rule.test(line)) blocks.push({ kind: 'rule' });
    else if (dotted) {
      item(false, after(dotted, line));
      continue;
    } else if (counted) {
      item(true, after(counted, line));
      continue;
    } else if (quoted) {
      add('quote', line.slice(quoted[0].length));
      continue;
    } else if (line) {
      add('paragraph', line);
      continue;
    }
    open = false;
  }
  if (code) blocks.push({ kind: 'code', text: code.join('\n') });
  return withoutGaps(blocks);
}

/** Headings by how many kinds of them there are, not by their marks: under the title none is skipped. */
function withoutGaps(blocks: Block[]): Block[] {
  const used = new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : [])));
  const ranks = [...used].sort((a, b) => a - b);
  let before = 0;
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block;
    before = Math.min(ranks.indexOf(block.level) + 1, before + 1);
    return { ...block, level: before };
  });
}

/** The parts of a line that are more than words: code, bold, italic, links with and without words. */
const inline =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|\[([^[\]\n]{1,300})\]\((https?:\/\/[^()\s]{1,2048})\)|(https?:\/\/[^\s<>()[\]"']{1,2048}[^\s<>()[\]"'.,;:!?])/g;

function words(text: string): ReactNode[] {
  const found: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, code, bold, italic, named, target, bare] = match;
    if (match.index > end)
      found.push(<Plain key={`before ${match.index}`}>{text.slice(end, match.index)}</Plain>);
    end = match.index + whole.length;
    const key = match.index;
    if (code) found.push(<Code key={key}>{code}</Code>);
    else if (bold)
      found.push(
        <strong key={key}>
          <Plain>{bold}</Plain>
        </strong>,
      );
    else if (italic)
      found.push(
        <em key={key}>
          <Plain>{italic}</Plain>
        </em>,
      );
    else found.push(<Out key={key} to={target ?? bare ?? ''} label={named ?? whole} whole={whole} />);
  }
  if (end < text.length) found.push(<Plain key="last">{text.slice(end)}</Plain>);
  return found;
}

/** Words whose topics are links, as in other posts. */
function Plain({ children: text }: { children: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of topicsIn(text)) {
    parts.push(
      text.slice(end, found.start),
      <Link key={found.start} to={paths.topic(found.topic)} className="link font-medium">
        {text.slice(found.start, found.end)}
      </Link>,
    );
    end = found.end;
  }
  return [...parts, text.slice(end)];
}

function Code({ children }: { children: string }) {
  return <code className="rounded-xs bg-muted px-1 py-0.5 font-mono text-[0.875em]">{children}</code>;
}

/** An address that may not become a link stays what was written. */
function Out({ to, label, whole }: { to: string; label: string; whole: string }) {
  const address = webAddress(to);
  if (!address) return whole;
  return <WebLink href={address}>{label}</WebLink>;
}

const headings = ['h2', 'h3', 'h4'] as const;
const looks = ['text-heading', 'text-[1.1875rem] leading-6', 'text-body'];

export function Markdown({ children }: { children: string }) {
  const blocks = useMemo(() => blocksOf(children), [children]);
  return (
    <div className="space-y-4 text-body wrap-anywhere">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text stands as it is; its blocks have no other name.
        <Fragment key={at}>{drawn(block)}</Fragment>
      ))}
    </div>
  );
}

function drawn(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = headings[block.level - 1] ?? 'h4';
      return (
        <Heading dir="auto" className={`pt-2 font-serif font-semibold ${looks[block.level - 1]}`}>
          {words(block.text)}
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p dir="auto" className="whitespace-pre-line">
          {words(block.text)}
        </p>
      );
    case 'quote':
      return (
        <blockquote dir="auto" className="border-l-2 pl-4 whitespace-pre-line text-muted-foreground">
          {words(block.text)}
        </blockquote>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-muted p-3 font-mono text-ui">
          {block.text}
        </pre>
      );
    case 'rule':
      return <hr className="border-t" />;
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List dir="auto" className={`space-y-1 pl-6 ${block.ordered ? 'list-decimal' : 'list-disc'}`}>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <li key={at}>{words(item)}</li>
          ))}
        </List>
      );
    }
  }
}
