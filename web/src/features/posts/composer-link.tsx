// The preview of the first link in the composer, with the way to publish without it.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { api, read } from '@/api/client';
import { useTranslation } from '@/i18n/use-translation';
import { IconButton } from '@/ui/icon-button';
import { Skeleton } from '@/ui/skeleton';
import { useDebounced } from '@/ui/use-debounced';
import { LinkCard } from './link-card';
import { linksIn } from './text/web-links';

/** The pause in typing after which a link is complete, in milliseconds. */
const pause = 600;
/** How often the server is asked for a page that it fetches, and how many times. */
const interval = 1_000;
const mostRequests = 12;

/** The first link of a text, if it leads to another site: others have no preview. */
export function linkToPreview(text: string): string | null {
  const href = linksIn(text)[0]?.href;
  return href && new URL(href).origin !== window.location.origin ? href : null;
}

interface ComposerLinkProps {
  text: string;
  /** The link whose preview the author removed. */
  removed: string;
  onRemove: (href: string) => void;
}

export function ComposerLink({ text, removed, onRemove }: ComposerLinkProps) {
  const { t } = useTranslation('posts');
  const href = useDebounced(linkToPreview(text) ?? '', pause);
  const isWanted = href !== '' && href === linkToPreview(text) && href !== removed;
  const { data } = useQuery({
    queryKey: ['link-preview', href],
    queryFn: ({ signal }) => read(api.POST('/api/link-previews', { body: { url: href }, signal })),
    enabled: isWanted,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'pending' && dataUpdateCount < mostRequests ? interval : false,
    retry: false,
    staleTime: 600_000,
  });
  if (!isWanted || !data || data.state === 'none') return null;
  if (!data.preview)
    return (
      <div className="mt-2 pb-3">
        <p role="status" className="sr-only">
          {t('linkLoading')}
        </p>
        <Skeleton className="h-28 rounded-lg" />
      </div>
    );
  return (
    <section aria-label={t('linkPreview')} className="relative mt-2 pb-3 [&_a>span]:pe-14">
      <LinkCard preview={data.preview} />
      <IconButton
        icon={X}
        glyph="icon-sm"
        variant="outline"
        className="absolute end-2 top-2 bg-card"
        label={t('noLinkPreview')}
        onClick={() => onRemove(href)}
      />
    </section>
  );
}
