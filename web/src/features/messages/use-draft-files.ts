// Adds files to the message that is being written, and removes them.
import { useEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotency';
import { useTranslation } from '@/i18n/use-translation';
import { deviceKeys, readDevice } from '@/session/device-store';
import { dropFiles, keepFile, pruneFiles } from '@/session/file-store';
import { useDraft } from '@/session/use-draft';
import { toast } from '@/ui/toast';
import { type DraftFile, filesDraft, filesPlace, kindOf, mostPictures } from './draft-files';

interface DraftFiles {
  chosen: DraftFile[];
  /** Pictures are being scaled: they are not among the chosen ones yet. */
  isPreparing: boolean;
  /** Adds what is allowed, and says what is not. */
  add: (files: File[]) => void;
  remove: (id: string) => void;
  describe: (id: string, alt: string) => void;
  /** Empties the draft. The files belong to the unsent message now. */
  handOver: () => void;
}

/** `refusal` says why the member cannot send files; null if they can. */
export function useDraftFiles(memberId: string, conversationId: string, refusal: string | null): DraftFiles {
  const { t } = useTranslation('messages');
  const { value: chosen, change } = useDraft(filesPlace(conversationId), filesDraft);
  const [preparing, setPreparing] = useState(0);
  const turn = useRef(Promise.resolve());
  // Scaling takes longer than a render: files that were chosen meanwhile stay.
  const latest = useRef(chosen);
  latest.current = chosen;
  const put = (files: DraftFile[]) => {
    latest.current = files;
    change(files);
  };
  useEffect(() => {
    void pruneFiles(deviceKeys().map((key) => readDevice(key) ?? ''));
  }, []);
  const refuse = (description: string) =>
    toast({ title: t('fileRefused'), description, variant: 'destructive' });

  const add = (files: File[]) => {
    if (files.length === 0) return;
    if (refusal) return refuse(refusal);
    const kinds = files.map((file) => [file, kindOf(file)] as const);
    const usable = kinds.flatMap(([file, kind]) => (kind ? [{ file, kind }] : []));
    if (usable.length < files.length) refuse(t('fileTypes'));
    // In the order of the member, also if a later choice is ready earlier.
    setPreparing((running) => running + 1);
    turn.current = turn.current
      .then(() => prepare(usable))
      .finally(() => setPreparing((running) => running - 1));
  };
  const prepare = async (usable: { file: File; kind: DraftFile['kind'] }[]) => {
    for (const { file, kind } of usable) {
      const all = latest.current;
      const isFree =
        kind === 'file'
          ? all.length === 0
          : all.length < mostPictures && all.every((one) => one.kind === kind);
      if (!isFree) return refuse(t('filesFull', { count: mostPictures }));
      try {
        const kept =
          kind === 'picture' ? await (await import('@/ui/picture-scaling')).scalePicture(file) : file;
        const id = newIdempotencyKey();
        // A draft names stored files only: the page may go at any time.
        await keepFile(memberId, id, kept);
        put([...latest.current, { id, kind, name: file.name, size: kept.size, type: kept.type, alt: '' }]);
      } catch {
        refuse(t('pictureUnreadable', { name: file.name }));
      }
    }
  };
  return {
    chosen,
    isPreparing: preparing > 0,
    add,
    remove: (id) => {
      put(latest.current.filter((one) => one.id !== id));
      void dropFiles(memberId, [id]);
    },
    describe: (id, alt) => put(latest.current.map((one) => (one.id === id ? { ...one, alt } : one))),
    handOver: () => put([]),
  };
}
