// Uploads the pictures of a post when they are selected; the server stores them until the post refers to them.
import { useEffect, useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import type { CreatePost, Picture } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { isPicture, UnreadablePicture } from '@/ui/picture-types';
import { showError } from '@/ui/toast';
export const mostPictures = 4;

export interface ChosenPicture {
  /** An object URL that shows it before the upload has finished; also its key. */
  preview: string;
  /** Null during the upload. */
  picture: Picture | null;
  alt: string;
}

async function upload(file: File): Promise<Picture> {
  const { scalePicture } = await import('@/ui/picture-scaling');
  const picture = await scalePicture(file);
  return read(
    api.POST('/api/pictures', {
      // The OpenAPI type of bytes is a string.
      body: picture as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'Content-Type': picture.type, 'Idempotency-Key': newIdempotencyKey() },
    }),
  );
}

export function usePictures() {
  const { t } = useTranslation('posts');
  const [chosen, setChosen] = useState<ChosenPicture[]>([]);
  const previews = useRef(new Set<string>());
  const release = (preview: string) => {
    URL.revokeObjectURL(preview);
    previews.current.delete(preview);
  };
  useEffect(() => {
    const all = previews.current;
    return () => {
      for (const preview of all) URL.revokeObjectURL(preview);
    };
  }, []);

  const refuse = (description: string) => showError(description);
  const change = (preview: string, change: Partial<ChosenPicture>) =>
    setChosen((all) => all.map((one) => (one.preview === preview ? { ...one, ...change } : one)));
  const remove = (preview: string) => {
    release(preview);
    setChosen((all) => all.filter((one) => one.preview !== preview));
  };
  /** False if none was added. */
  const add = (files: File[]): boolean => {
    const usable = files.filter(isPicture);
    if (usable.length < files.length) refuse(t('pictureRefused'));
    const free = mostPictures - chosen.length;
    if (usable.length > free) refuse(t('picturesFull', { count: mostPictures }));
    for (const file of usable.slice(0, free)) {
      const preview = URL.createObjectURL(file);
      previews.current.add(preview);
      setChosen((all) => [...all, { preview, picture: null, alt: '' }]);
      upload(file).then(
        (picture) => change(preview, { picture }),
        (error: Error) => {
          remove(preview);
          refuse(
            error instanceof UnreadablePicture
              ? t('pictureUnreadable', { name: file.name })
              : t('pictureFailed', { message: error.message }),
          );
        },
      );
    }
    return usable.length > 0 && free > 0;
  };
  return {
    chosen,
    uploading: chosen.some(({ picture }) => picture === null),
    add,
    remove,
    setAlt: (preview: string, alt: string) => change(preview, { alt }),
    /** Moves a picture by one place. */
    move: (at: number, by: 1 | -1) =>
      setChosen((all) => {
        const moved = [...all];
        const [one] = moved.splice(at, 1);
        if (one) moved.splice(at + by, 0, one);
        return moved;
      }),
    clear: () => {
      for (const { preview } of chosen) release(preview);
      setChosen([]);
    },
  };
}

/** The fields of a new post; unused ones are omitted. One picture has the fields that every version of the server knows. */
export function picturesIn(chosen: ChosenPicture[]): Partial<CreatePost> {
  const pictures = chosen.flatMap(({ picture, alt }) =>
    picture ? [{ id: picture.id, alt: alt.trim() }] : [],
  );
  const [first] = pictures;
  if (!first) return {};
  if (pictures.length > 1) return { pictures: pictures.map(({ id, alt }) => ({ id, ...(alt && { alt }) })) };
  return { pictureId: first.id, ...(first.alt && { pictureAlt: first.alt }) };
}
