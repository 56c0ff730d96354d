// The preview of the link of a post: reserves its space, and loads the card when a post has one.
import { lazy, Suspense } from 'react';
import type { LinkPreview } from '@/api/types';
import { useLinkCards } from './link-cards';

const LinkCard = lazy(async () => ({ default: (await import('./link-card')).LinkCard }));

interface LinkPreviewCardProps {
  /** A gateway of the previous release sends none. */
  preview: LinkPreview | undefined;
  className: string;
}

export function LinkPreviewCard({ preview, className }: LinkPreviewCardProps) {
  const isOn = useLinkCards();
  if (!preview || !isOn) return null;
  const picture = preview.image ? 'aspect-[1.91] sm:hidden' : 'hidden';
  return (
    <div className={className}>
      <Suspense
        // As high as the card.
        fallback={
          <div className="rounded-lg border bg-skeleton">
            <div className={picture} />
            <div className="h-28" />
          </div>
        }
      >
        <LinkCard preview={preview} />
      </Suspense>
    </div>
  );
}
