// Uploads the picture of a post unchanged when it is selected; the server stores it until the post refers to it.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import type { Picture } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

/** The types that the server accepts. */
export const pictureTypes = ['image/png', 'image/jpeg'];
const largest = 8 * 1024 * 1024;

export interface ChosenPicture {
  /** An object URL that shows it before the upload has finished. */
  preview: string;
  /** Null during the upload. */
  picture: Picture | null;
  alt: string;
}

/** Needs the texts of `posts`. */
export function usePicture() {
  const { t } = useTranslation(['posts', 'shell']);
  const [preview, setPreview] = useState<string | null>(null);
  const [alt, setAlt] = useState('');
  const upload = useMutation({
    mutationFn: (file: File) =>
      read(
        api.POST('/api/pictures', {
          // The OpenAPI type of bytes is a string.
          body: file as unknown as string,
          bodySerializer: (body) => body,
          headers: { 'Content-Type': file.type, 'Idempotency-Key': newIdempotencyKey() },
        }),
      ),
    onError: ({ message }) => {
      setPreview(null);
      toast({
        title: t('shell:error'),
        description: t('pictureFailed', { message }),
        variant: 'destructive',
      });
    },
  });
  // Releases the object URL of the preview.
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  const remove = () => {
    setPreview(null);
    setAlt('');
    upload.reset();
  };
  return {
    chosen: preview ? ({ preview, picture: upload.data ?? null, alt } satisfies ChosenPicture) : null,
    setAlt,
    remove,
    choose: (file: File) => {
      if (!pictureTypes.includes(file.type) || file.size > largest) {
        toast({ title: t('shell:error'), description: t('pictureRefused'), variant: 'destructive' });
        return;
      }
      remove();
      setPreview(URL.createObjectURL(file));
      upload.mutate(file);
    },
  };
}
