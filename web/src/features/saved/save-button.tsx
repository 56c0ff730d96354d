// The bookmark button: saves an item or removes it from the saved items.
import { Bookmark } from 'lucide-react';
import type { SavedKind } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { useSaving } from './use-saving';

interface SaveButtonProps {
  kind: SavedKind;
  id: string;
  /** The name of the item, for the label: a list has many of these buttons. */
  name: string;
  /** Shows a text beside the bookmark, on the item's own page. */
  worded?: boolean;
  className?: string;
}

export function SaveButton({ kind, id, name, worded, className }: SaveButtonProps) {
  const { t } = useTranslation('saved');
  const { saved, toggle } = useSaving({ kind, id });
  return (
    <Button
      variant={worded ? 'outline' : 'ghost'}
      size={worded ? 'md' : 'sm'}
      iconOnly={!worded}
      className={className}
      aria-label={t('saveNamed', { name })}
      aria-pressed={saved}
      onClick={toggle}
    >
      <Bookmark className={`icon-sm ${saved ? 'fill-gold/30 text-gold-text' : ''}`} />
      {worded && t(saved ? 'saved' : 'save')}
    </Button>
  );
}
