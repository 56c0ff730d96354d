// The edit button on an owner's card.
import { Pencil } from 'lucide-react';
import { IconButton } from '@/ui/icon-button';

export function EditIcon({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    // Offset so that the glyph, not its box, aligns with the padding (DESIGN.md, section 5, Card).
    <IconButton
      icon={Pencil}
      glyph="icon-sm"
      className="-m-2"
      label={label}
      aria-haspopup="dialog"
      onClick={onClick}
    />
  );
}
