// A post's picture, full bleed: its space is held before its size is known.
import { useState } from 'react';

export function PostImage({ src }: { src: string }) {
  const [loaded, setLoaded] = useState(false);
  return (
    <div className={`overflow-hidden bg-skeleton ${loaded ? '' : 'aspect-2/1'}`}>
      <img
        src={src}
        alt=""
        loading="lazy"
        decoding="async"
        onLoad={() => setLoaded(true)}
        className="max-h-[32rem] w-full object-cover"
      />
    </div>
  );
}
