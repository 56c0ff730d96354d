// Adds files to the message that is being written, and removes them.
import { useEffect } from 'react';
import { newIdempotencyKey } from '@/api/idempotency';
import { useTranslation } from '@/i18n/use-translation';
import { deviceKeys, readDevice } from '@/session/device-store';
import { useDraft } from '@/session/drafts';
import { dropFiles, keepFile, pruneFiles } from '@/session/file-store';
import { toast } from '@/ui/toast';
import { type ChosenFile, filesDraft, filesPlace, kindOf, mostPictures } from './chosen-files';

interface ChosenFiles {
  chosen: ChosenFile[];
  /** Adds what is allowed, and says what is not. */
  add: (files: File[]) => void;
  remove: (id: string) => void;
  describe: (id: string, alt: string) => void;
  /** Empties the draft. The files belong to the unsent message now. */
  handOver: () => void;
}

/** `refusal` says why the member cannot send files; null if they can. */
export function useChosenFiles(
  memberId: string,
  conversationId: string,
  refusal: string | null,
): ChosenFiles {
  const { t } = useTranslation('messages');
  const { value: chosen, change } = useDraft(filesPlace(conversationId), filesDraft);
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
    const added: ChosenFile[] = [];
    for (const { file, kind } of usable) {
      const all = [...chosen, ...added];
      const isFree =
        kind === 'file'
          ? all.length === 0
          : all.length < mostPictures && all.every((one) => one.kind === kind);
      if (!isFree) {
        refuse(t('filesFull', { count: mostPictures }));
        break;
      }
      const id = newIdempotencyKey();
      void keepFile(memberId, id, file);
      added.push({ id, kind, name: file.name, size: file.size, type: file.type, alt: '' });
    }
    if (added.length > 0) change([...chosen, ...added]);
  };
  return {
    chosen,
    add,
    remove: (id) => {
      change(chosen.filter((one) => one.id !== id));
      void dropFiles(memberId, [id]);
    },
    describe: (id, alt) => change(chosen.map((one) => (one.id === id ? { ...one, alt } : one))),
    handOver: () => change([]),
  };
}
