// The pictures of a post: one by its size, several in a grid with a reserved space; each opens the viewer.
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Post, PostImage, Repost } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';

const PictureViewer = lazy(async () => (await import('./picture-viewer')).PictureViewer);

type Pictured = Pick<Post | Repost, 'image'> & { pictures?: PostImage[]; imageUrl?: string | null };

/** All pictures; an answer without the list has at most one. */
export function picturesOf({ pictures, image, imageUrl }: Pictured): PostImage[] {
  if (pictures && pictures.length > 0) return pictures;
  if (image) return [image];
  return imageUrl ? [{ url: imageUrl, alt: '', width: 0, height: 0 }] : [];
}

/** In the state of the history entry that a viewer adds, so that Back closes it. */
interface ViewerState {
  viewer?: { of: string; at: number };
}

const cells: Record<number, string> = { 2: '', 3: 'first:row-span-2', 4: '' };

interface PostPicturesProps {
  /** Identifies these pictures on the screen, also after their post is mounted anew: an open viewer stays open. */
  id: string;
  pictures: PostImage[];
}

export function PostPictures({ id, pictures }: PostPicturesProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const { viewer } = (location.state ?? {}) as ViewerState;
  const [single] = pictures;
  if (!single) return null;

  const open = (at: number) => {
    const state = { ...(location.state as object | null), viewer: { of: id, at } };
    void navigate(location, { state, preventScrollReset: true });
  };
  return (
    <>
      {pictures.length === 1 ? (
        <Opener at={0} count={1} onOpen={open} className="block w-full">
          <WidePicture image={single} />
        </Opener>
      ) : (
        <div
          className={`grid aspect-3/2 grid-cols-2 gap-0.5 bg-card ${pictures.length > 2 ? 'grid-rows-2' : ''}`}
        >
          {pictures.map(({ url, alt }, at) => (
            <Opener
              key={url}
              at={at}
              count={pictures.length}
              onOpen={open}
              className={`relative overflow-hidden bg-skeleton ${cells[pictures.length]}`}
            >
              <img
                src={url}
                alt={alt}
                loading="lazy"
                decoding="async"
                className="absolute inset-0 size-full object-cover"
              />
            </Opener>
          ))}
        </div>
      )}
      {viewer?.of === id && (
        <PictureViewer pictures={pictures} start={viewer.at} onClose={() => void navigate(-1)} />
      )}
    </>
  );
}

interface OpenerProps {
  at: number;
  count: number;
  onOpen: (at: number) => void;
  className: string;
  children: ReactNode;
}

/** Its name is the description of the picture and what a press does. */
function Opener({ at, count, onOpen, className, children }: OpenerProps) {
  const { t } = useTranslation('posts');
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={`cursor-pointer focus-visible:-outline-offset-4 ${className}`}
      onPointerEnter={() => void PictureViewer.load()}
      onFocus={() => void PictureViewer.load()}
      onClick={() => onOpen(at)}
    >
      {children}
      <span className="sr-only">
        {count === 1 ? t('openPicture') : t('openPictureOf', { number: at + 1, count })}
      </span>
    </button>
  );
}

/** Full bleed; its space is reserved, by its size if known. */
function WidePicture({ image: { url, alt, width, height } }: { image: PostImage }) {
  const [loaded, setLoaded] = useState(false);
  const known = width > 0 && height > 0;
  return (
    <div className={`overflow-hidden bg-skeleton ${known || loaded ? '' : 'aspect-2/1'}`}>
      <img
        src={url}
        alt={alt}
        {...(known && { width, height, style: { aspectRatio: `${width} / ${height}` } })}
        loading="lazy"
        decoding="async"
        onLoad={() => setLoaded(true)}
        className="h-auto max-h-[32rem] w-full object-cover"
      />
    </div>
  );
}
