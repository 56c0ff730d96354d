// The picture of the composer: selection, preview, and alt text.
import { ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { longest } from './lengths';
import { pictureTypes, type usePicture } from './picture';

interface PictureFieldProps {
  picture: ReturnType<typeof usePicture>;
  /** Removes the picture or its placeholder from the post. */
  onRemove: () => void;
}

export function PictureField({ picture: { chosen, choose, setAlt }, onRemove }: PictureFieldProps) {
  const { t } = useTranslation('posts');
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="mt-3 space-y-3 rounded-lg border p-3">
      <input
        ref={field}
        type="file"
        accept={pictureTypes.join()}
        aria-label={t('choosePicture')}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) choose(file);
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      {chosen ? (
        <>
          <img src={chosen.preview} alt="" className="max-h-60 w-full rounded-md bg-muted object-contain" />
          <p role="status" className="text-caption text-muted-foreground">
            {chosen.picture ? '' : t('uploading')}
          </p>
          <TextField
            label={t('alt')}
            hint={t('altHint')}
            maxLength={longest.alt}
            value={chosen.alt}
            onChange={({ target }) => setAlt(target.value)}
          />
        </>
      ) : (
        <p className="text-ui text-muted-foreground">{t('pictureHint')}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={() => field.current?.click()}>
          <ImagePlus className="icon-sm" aria-hidden="true" />
          {t(chosen ? 'chooseOther' : 'choosePicture')}
        </Button>
        <Button variant="ghost" size="sm" onClick={onRemove}>
          <X className="icon-sm" aria-hidden="true" />
          {t('removePicture')}
        </Button>
      </div>
    </div>
  );
}
