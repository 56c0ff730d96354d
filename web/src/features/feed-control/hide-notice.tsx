// The notice that replaces a post that was just hidden, with Undo.
import { useQuery } from '@tanstack/react-query';
import { EyeOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { hideNoticesQuery } from '@/api/hide-notices';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { useHiding } from './use-hiding';

/** Needs the texts of `feeds`, which the menu that hides a post has loaded. */
export function HideNotice({ post }: { post: Post }) {
  const { t } = useTranslation('feeds');
  const { data: hidden = {} } = useQuery(hideNoticesQuery);
  const hiding = useHiding(post.id);
  const undo = useRef<HTMLButtonElement>(null);
  // The menu that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) undo.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="card flex items-center gap-3 px-4 py-3 md:px-5" data-post={post.id}>
      <EyeOff className="icon shrink-0 text-muted-foreground" />
      <p role="status" className="min-w-0 flex-1 text-ui text-pretty">
        {t(hidden[post.id] ? 'lowered' : 'hidden')}
      </p>
      <Button ref={undo} variant="outline" size="sm" onClick={() => hiding.mutate(null)}>
        {t('undo')}
      </Button>
    </div>
  );
}
