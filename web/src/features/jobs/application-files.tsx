// The files of an application: chosen in the apply dialog, kept in My Applications.
import { Paperclip } from 'lucide-react';
import type { ApplicationFileKind, JobApplication } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { PdfField } from '@/ui/pdf-field';
import { type ChosenFiles, fileKinds, fileOf, useFileChange } from './application-file';

interface ChooseFilesProps {
  files: ChosenFiles;
  onChange: (files: ChosenFiles) => void;
}

/** The files of an application that is not sent yet. */
export function ChooseFiles({ files, onChange }: ChooseFilesProps) {
  const { t } = useTranslation('jobs');
  return (
    <div className="mt-4 space-y-2">
      {fileKinds.map((kind) => (
        <PdfField
          key={kind}
          label={t(`file.${kind}`)}
          file={files[kind] ?? null}
          onChoose={(file) => onChange({ ...files, [kind]: file })}
          onRemove={() => onChange({ ...files, [kind]: undefined })}
        />
      ))}
      <p className="text-caption text-muted-foreground">{t('filesHint')}</p>
    </div>
  );
}

/** In the dialog of an application: the stored files, replaced and removed at once. */
export function ApplicationFiles({ application }: { application: JobApplication }) {
  const { t } = useTranslation('jobs');
  return (
    <section>
      <h3 className="text-subhead">{t('files')}</h3>
      <div className="mt-2.5 space-y-2">
        {fileKinds.map((kind) => (
          <StoredFile key={kind} application={application} kind={kind} />
        ))}
        <p className="text-caption text-muted-foreground">{t('filesHint')}</p>
      </div>
    </section>
  );
}

function StoredFile({ application, kind }: { application: JobApplication; kind: ApplicationFileKind }) {
  const { t } = useTranslation('jobs');
  const change = useFileChange(application.id, kind);
  return (
    <PdfField
      label={t(`file.${kind}`)}
      file={fileOf(application, kind)}
      busy={change.isPending}
      onChoose={change.mutate}
      onRemove={() => change.mutate(null)}
    />
  );
}

interface FileLinksProps {
  application: JobApplication;
  /** The id of the element that names the posting. */
  describedBy: string;
}

/** In the list: links that download the files. */
export function FileLinks({ application, describedBy }: FileLinksProps) {
  const { t } = useTranslation('jobs');
  const stored = fileKinds.filter((kind) => fileOf(application, kind));
  if (stored.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-caption">
      {stored.map((kind) => (
        <a
          key={kind}
          href={fileOf(application, kind)?.url}
          download={fileOf(application, kind)?.name}
          aria-describedby={describedBy}
          className="link reach inline-flex min-h-6 items-center gap-1.5"
        >
          <Paperclip className="icon-sm" />
          {t(`file.${kind}`)}
        </a>
      ))}
    </p>
  );
}
