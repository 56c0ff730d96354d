// How long a text is, near and above its maximum. The field accepts more than that: a pasted text would lose its end unseen.
import { useTranslation } from '@/i18n/use-translation';

/** The part of the maximum from which the length is shown. */
const near = 0.9;

/** In code points, as the server counts. */
const lengthOf = (text: string): number => [...text].length;

export const isTooLong = (text: string, maxLength: number): boolean =>
  text.length > maxLength && lengthOf(text) > maxLength;

interface TextLengthProps {
  id: string;
  text: string;
  maxLength: number;
}

export function TextLength({ id, text, maxLength }: TextLengthProps) {
  const { t } = useTranslation('posts');
  // No text has more code points than UTF-16 units; short texts are not counted at each key.
  const length = text.length < maxLength * near ? 0 : lengthOf(text);
  if (length < maxLength * near) return null;
  const over = length - maxLength;
  return (
    <p
      id={id}
      // A text of this length is higher than a dialog.
      className={`py-1 in-[[role=dialog]]:sticky in-[[role=dialog]]:-bottom-1 in-[[role=dialog]]:bg-popover text-right text-caption tabular-nums ${over > 0 ? 'font-medium text-destructive-text' : 'text-muted-foreground'}`}
    >
      {over > 0 ? t('tooLong', { count: over }) : t('length', { length, max: maxLength })}
      {/* Only the change is read aloud, not the number at each key. */}
      <span role="status" className="sr-only">
        {over > 0 ? `${t('tooLongTitle')}. ${t('tooLongText', { max: maxLength })}` : ''}
      </span>
    </p>
  );
}
