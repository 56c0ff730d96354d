// The preview of the link of a post: reserves its space, and loads the card when a post has one.
import type { LinkPreview } from '@/api/types';
import { lazy } from '@/ui/lazy';
import { useLinkCards } from './link-cards';

const LinkCard = lazy(async () => (await import('./link-card')).LinkCard);

interface LinkPreviewCardProps {
  /** A gateway of the previous release sends none. */
  preview: LinkPreview | undefined;
  className: string;
}

export function LinkPreviewCard({ preview, className }: LinkPreviewCardProps) {
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
