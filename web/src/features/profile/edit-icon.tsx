// The edit button on an owner's card.
import { Pencil } from 'lucide-react';
import { Button } from '@/ui/button';

export function EditIcon({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    // Offset so that the glyph, not its box, aligns with the padding (DESIGN.md, section 5, Card).
    <Button
      variant="ghost"
      iconOnly
      className="-m-2"
      aria-label={label}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <Pencil className="icon-sm" />
    </Button>
  );
}
