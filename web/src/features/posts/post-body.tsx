// The content of a post: text or article, picture, video, and reposted post.
import { Download, ExternalLink, FileText, Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LinkPreview, Post, PostPdf, Repost } from '@/api/schema.gen';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Highlight } from '@/ui/highlight';
import { lazy } from '@/ui/lazy';
import { RelativeTime } from '@/ui/relative-time';
import { Loading } from '@/ui/skeleton';
import { VerifiedMark } from '@/ui/verified-mark';
import { webAddress } from '@/web-address';
import { useLinkCards } from './link-cards';
import { PostPictures, picturesOf } from './post-pictures';
import { RichText } from './text/rich-text';

const Markdown = lazy(async () => (await import('./markdown')).Markdown, 'essential');

const sides = 'px-4 md:px-5';

/** `whole`: on its own page, an article with its full text and its title. */
export function PostBody({ post, whole }: { post: Post; whole?: boolean }) {
  const { title, content, videoUrl, linkPreview, repost } = post;
  return (
    <>
      {title === null ? (
        content && <PostText post={post} whole={whole} />
      ) : whole ? (
        <div className={`${sides} pt-4 pb-4`}>
          <h1
            dir="auto"
            className="mb-4 font-serif text-title text-balance wrap-anywhere max-sm:text-[1.625rem]"
          >
            {title}
          </h1>
          <Markdown fallback={<Loading className="h-dvh">{null}</Loading>}>{content}</Markdown>
        </div>
      ) : (
        <ArticleExcerpt post={post} title={title} />
      )}
      <LinkPreviewCard preview={linkPreview} className={`${sides} pb-3`} />
      <PostPictures id={post.id} pictures={picturesOf(post)} />
      {post.pdf && <PdfCard pdf={post.pdf} />}
      {videoUrl && <VideoLink url={videoUrl} />}
      {repost && <Reposted within={post.id} repost={repost} />}
    </>
  );
}

/** A longer text fills more lines than a folded one has, at every width: pressing the button always shows more. */
const isLong = (text: string) => text.length > 900 || text.split('\n').length > 12;

/** The posts that were unfolded, which stay so when Back restores the scroll position of their list. */
const unfolded = new Set<string>();

function PostText({ post: { id, content, mentions }, whole }: { post: Post; whole?: boolean }) {
  const { t } = useTranslation('posts');
  const [open, setOpen] = useState(unfolded.has(id));
  const folded = !whole && !open && isLong(content);
  const unfold = () => {
    unfolded.add(id);
    setOpen(true);
  };
  return (
    <div className={`${sides} pt-3 pb-3 text-body`}>
      <p
        dir="auto"
        className={`whitespace-pre-line wrap-anywhere ${folded ? 'line-clamp-8' : ''}`}
        // The focused link may be in the hidden part.
        onFocus={folded ? unfold : undefined}
      >
        <RichText topics mentions={mentions}>
          {content}
        </RichText>
      </p>
      {folded && (
        <button type="button" className="link reach mt-1 cursor-pointer text-ui font-medium" onClick={unfold}>
          {t('unfold')}
        </button>
      )}
    </div>
  );
}

function ArticleExcerpt({ post: { id, content, mentions }, title }: { post: Post; title: string }) {
  const { t } = useTranslation('posts');
  return (
    <div className={`${sides} pt-3 pb-3 wrap-anywhere`}>
      <p className="flex items-center gap-1.5 text-caption font-medium text-muted-foreground">
        <FileText className="icon-sm text-gold-text" />
        {t('article')}
      </p>
      <p dir="auto" className="mt-1 font-serif text-heading text-balance">
        <Link to={paths.post(id)} className="hover:underline">
          <Highlight>{title}</Highlight>
        </Link>
      </p>
      <p dir="auto" className="mt-1.5 line-clamp-4 text-body text-muted-foreground">
        <RichText topics mentions={mentions}>
          {content}
        </RichText>
      </p>
      <Link
        to={paths.post(id)}
        aria-label={t('readArticleNamed', { title })}
        className="link reach mt-2 inline-block text-ui font-medium"
      >
        {t('readArticle')}
      </Link>
    </div>
  );
}

/** A link card. It has no picture because the client fetches nothing from other sites. */
function VideoLink({ url }: { url: string }) {
  const { t } = useTranslation('posts');
  const address = webAddress(url);
  if (!address) return null;
  const { hostname } = new URL(address);
  return (
    <div className={`${sides} pb-3`}>
      <a
        href={address}
        target="_blank"
        rel="noopener nofollow ugc"
        className="flex items-center gap-3.5 rounded-lg border p-3 hover:bg-hover"
      >
        <span className="grid size-12 shrink-0 place-items-center rounded-md bg-ink text-on-ink">
          <Play className="icon" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block text-ui font-semibold wrap-anywhere">
            {t('watchOn', { host: hostname.replace(/^www\./, '') })}
          </span>
          <span className="block truncate text-micro text-muted-foreground">{address}</span>
        </span>
        <ExternalLink className="icon-sm text-muted-foreground" />
      </a>
    </div>
  );
}

/**
 * The reposted post in a frame; a placeholder if it is deleted or hidden from the viewer. `within` is the id of the post that
 * contains it: several posts on the screen may repost the same one.
 */
export function Reposted({ within, repost }: { within: string; repost: Repost }) {
  const { t } = useTranslation('posts');
  const { id, user, content, mentions, title, videoUrl, linkPreview, createdAt, editedAt } = repost;
  if (!id || !user)
    return (
      <p className="mx-4 mb-3 rounded-lg border bg-muted px-4 py-3 text-ui text-muted-foreground md:mx-5">
        {t('repostGone')}
      </p>
    );
  return (
    <section
      aria-label={t('repostOf', { name: user.fullName })}
      className="mx-4 mt-2 mb-3 overflow-hidden rounded-lg border md:mx-5"
    >
      <div className="flex items-center gap-2.5 px-3.5 pt-3">
        <Avatar user={user} size={32} decorative />
        <div className="min-w-0">
          <p className="flex text-caption font-semibold">
            <Link to={paths.profile(user.id)} className="truncate hover:underline">
              {user.fullName}
            </Link>
            <VerifiedMark member={user} className="ml-1" />
          </p>
          <p className="text-micro text-muted-foreground">
            {createdAt && <RelativeTime at={createdAt} />}
            {editedAt && ` · ${t('edited')}`}
          </p>
        </div>
      </div>
      {title && (
        <p
          dir="auto"
          className="px-3.5 pt-2 font-serif text-[1.125rem] leading-6 font-semibold wrap-anywhere"
        >
          {title}
        </p>
      )}
      {content && (
        <p dir="auto" className="line-clamp-6 px-3.5 pt-2 text-ui whitespace-pre-line wrap-anywhere">
          <RichText topics mentions={mentions}>
            {content}
          </RichText>
        </p>
      )}
      <LinkPreviewCard preview={linkPreview} className="px-3.5 pt-3" />
      {videoUrl && webAddress(videoUrl) && (
        <p className="flex items-center gap-1.5 px-3.5 pt-2 text-caption text-muted-foreground">
          <Play className="icon-sm" />
          {t('watchOn', { host: new URL(videoUrl).hostname.replace(/^www\./, '') })}
        </p>
      )}
      <p className="px-3.5 pt-2 pb-3">
        <Link
          to={paths.post(id)}
          aria-label={t('seeOriginalOf', { name: user.fullName })}
          className="link reach text-caption font-medium"
        >
          {t('seeOriginal')}
        </Link>
      </p>
      <PostPictures id={`repost ${within}`} pictures={picturesOf(repost)} />
      {repost.pdf && <PdfCard pdf={repost.pdf} />}
    </section>
  );
}

const LinkCard = lazy(async () => (await import('./link-card')).LinkCard);

interface LinkPreviewCardProps {
  /** A gateway of the previous release sends none. */
  preview: LinkPreview | undefined;
  className: string;
}

/** Reserves the space of the preview, and loads the card when a post has one. */
function LinkPreviewCard({ preview, className }: LinkPreviewCardProps) {
  const isOn = useLinkCards();
  if (!preview || !isOn) return null;
  const picture = preview.image ? 'aspect-[1.91] sm:hidden' : 'hidden';
  // As high as the card.
  const fallback = (
    <div className="rounded-lg border bg-skeleton">
      <div className={picture} />
      <div className="h-28" />
    </div>
  );
  return (
    <div className={className}>
      <LinkCard preview={preview} fallback={fallback} />
    </div>
  );
}

function PdfCard({ pdf: { name, size, url } }: { pdf: PostPdf }) {
  const { t, i18n } = useTranslation('posts');
  return (
    <div className="px-4 pb-3 md:px-5">
      <a
        href={url}
        download={name}
        className="flex items-center gap-3.5 rounded-lg border p-3 hover:bg-hover"
      >
        <span className="grid size-12 shrink-0 place-items-center rounded-md bg-ink text-on-ink">
          <FileText className="icon" />
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="line-clamp-2 text-ui font-semibold wrap-anywhere">
            {name}
          </span>
          <span className="block text-micro text-muted-foreground">
            {t('pdfSize', { size: formatFileSize(i18n.language, size) })}
          </span>
        </span>
        <span className="sr-only">{t('pdfDownload')}</span>
        <Download className="icon-sm text-muted-foreground" />
      </a>
    </div>
  );
}
