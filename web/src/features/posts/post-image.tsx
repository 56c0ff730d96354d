// The picture of a post, full bleed; its space is reserved, by its size if known.
import { useState } from 'react';
import type { PostPicture } from '@/api/types';

export function PostImage({ image: { url, alt, width, height } }: { image: PostPicture }) {
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
