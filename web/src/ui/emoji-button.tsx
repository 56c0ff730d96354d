// A button that inserts an emoji into a text field. The picker and its data load on first use.
import { Smile } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';
import { IconButton } from './icon-button';
import { lazy } from './lazy';
import { OnDemand } from './on-demand';

const EmojiPicker = lazy(async () => (await import('./emoji-picker')).EmojiPicker);

interface EmojiButtonProps {
  fieldId: string;
  size?: 'sm' | 'md';
  className?: string;
}

export function EmojiButton({ fieldId, size, className }: EmojiButtonProps) {
  const { t } = useTranslation();
  return (
    <OnDemand
      load={EmojiPicker.load}
      floating={(trigger) => <EmojiPicker trigger={trigger} fieldId={fieldId} />}
    >
      {(handlers) => (
        <IconButton
          icon={Smile}
          size={size}
          className={className}
          label={t('addEmoji')}
          aria-haspopup="dialog"
          {...handlers}
        />
      )}
    </OnDemand>
  );
}
