// The card of a link: its host, title, description and picture, which Portia serves. Its height does not depend on the texts.
import { Link2 } from 'lucide-react';
import type { LinkPreview } from '@/api/schema.gen';
import { webAddress } from '@/web-address';

export function LinkCard({ preview: { url, host, title, description, image } }: { preview: LinkPreview }) {
  const address = webAddress(url);
  if (!address) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="block overflow-hidden rounded-lg border hover:bg-hover sm:flex"
    >
      {image && (
        <img
          src={image.url}
          alt=""
          width={image.width}
          height={image.height}
          loading="lazy"
          decoding="async"
          className="block aspect-[1.91] w-full bg-skeleton object-cover sm:aspect-auto sm:h-28 sm:w-44 sm:shrink-0"
        />
      )}
      <span className="flex h-28 min-w-0 flex-1 flex-col justify-center gap-0.5 px-3.5">
        <span className="flex items-center gap-1.5 text-micro text-muted-foreground">
          <Link2 className="icon-sm shrink-0" />
          <span className="truncate">{host}</span>
        </span>
        <span dir="auto" className="line-clamp-2 text-ui font-semibold wrap-anywhere">
          {title}
        </span>
        {description && (
          <span dir="auto" className="line-clamp-1 text-caption text-muted-foreground wrap-anywhere">
            {description}
          </span>
        )}
      </span>
    </a>
  );
}
