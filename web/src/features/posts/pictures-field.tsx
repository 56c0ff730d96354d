// The pictures of the composer: selection, preview, order, and alt texts.
import { ArrowDown, ArrowUp, ImagePlus, type LucideIcon, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { pictureTypes } from '@/ui/picture-types';
import { longest } from './lengths';
import { mostPictures, type usePictures } from './pictures';

interface PicturesFieldProps {
  pictures: ReturnType<typeof usePictures>;
  /** Grows with each press that asks for pictures; the chooser of files then opens without a further press. */
  choosing: number;
  /** Removes the pictures or their placeholder from the post. */
  onRemove: () => void;
}

export function PicturesField({
  pictures: { chosen, add, remove, move, setAlt },
  choosing,
  onRemove,
}: PicturesFieldProps) {
  const { t } = useTranslation('posts');
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (choosing > 0) field.current?.click();
  }, [choosing]);
  // A moved element loses the focus.
  const [moved, setMoved] = useState<{ at: number; by: 1 | -1 } | null>(null);
  useLayoutEffect(() => {
    if (moved)
      list.current?.children[moved.at]?.querySelector<HTMLElement>(`[data-by="${moved.by}"]`)?.focus();
  }, [moved]);
  const count = chosen.length;
  const step = (at: number, by: 1 | -1) => {
    if (at + by < 0 || at + by >= count) return;
    move(at, by);
    setMoved({ at: at + by, by });
  };
  return (
    <div className="mt-3 space-y-3 rounded-lg border p-3">
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept={pictureTypes.join()}
        aria-label={t('choosePicture')}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      {count === 0 && (
        <p className="text-ui text-muted-foreground">{t('pictureHint', { count: mostPictures })}</p>
      )}
      {count > 0 && (
        <ol ref={list} className="space-y-3">
          {chosen.map(({ preview, picture, alt }, at) => (
            <li key={preview} className="flex flex-wrap items-start gap-x-3 gap-y-2">
              <img
                src={preview}
                alt=""
                className={
                  count === 1
                    ? 'max-h-60 w-full rounded-md bg-muted object-contain'
                    : 'size-20 rounded-md bg-muted object-cover'
                }
              />
              <div className="min-w-0 flex-1 basis-48 space-y-1">
                <p role="status" className="text-caption text-muted-foreground empty:hidden">
                  {picture ? '' : t('uploading')}
                </p>
                <TextField
                  label={count === 1 ? t('alt') : t('altOf', { number: at + 1 })}
                  hint={at === count - 1 ? t('altHint') : undefined}
                  maxLength={longest.altOfSeveral}
                  value={alt}
                  onChange={({ target }) => setAlt(preview, target.value)}
                />
              </div>
              {count > 1 && (
                <div className="flex">
                  <Icon
                    icon={ArrowUp}
                    label={t('moveEarlier', { number: at + 1 })}
                    disabled={at === 0}
                    by={-1}
                    onPress={() => step(at, -1)}
                  />
                  <Icon
                    icon={ArrowDown}
                    label={t('moveLater', { number: at + 1 })}
                    disabled={at === count - 1}
                    by={1}
                    onPress={() => step(at, 1)}
                  />
                  <Icon
                    icon={X}
                    label={t('removePictureOf', { number: at + 1 })}
                    onPress={() => remove(preview)}
                  />
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {moved && count > 1 ? t('pictureMoved', { number: moved.at + 1, count }) : ''}
      </p>
      <div className="flex flex-wrap gap-2">
        {count < mostPictures && (
          <Button variant="outline" size="sm" onClick={() => field.current?.click()}>
            <ImagePlus className="icon-sm" />
            {t(count > 0 ? 'addPictures' : 'choosePicture')}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onRemove}>
          <X className="icon-sm" />
          {t(count > 1 ? 'removeAllPictures' : 'removePicture')}
        </Button>
      </div>
    </div>
  );
}

interface IconProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  by?: 1 | -1;
  onPress: () => void;
}

function Icon({ icon: Shape, label, disabled, by, onPress }: IconProps) {
  return (
    <IconButton
      icon={Shape}
      glyph="icon-sm"
      size="sm"
      label={label}
      aria-disabled={disabled}
      data-by={by}
      onClick={onPress}
    />
  );
}
