// The files that a member keeps with an application: upload and deletion.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { ApplicationFile, ApplicationFileKind, JobApplication } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { applicationChanged } from './jobs-cache';

/** In the order of the screen. */
export const fileKinds = ['resume', 'cover-letter'] as const satisfies readonly ApplicationFileKind[];

export type ChosenFiles = Partial<Record<ApplicationFileKind, File>>;
export function fileOf(application: JobApplication, kind: ApplicationFileKind): ApplicationFile | null {
  return (kind === 'resume' ? application.resume : application.coverLetter) ?? null;
}

function uploadFile(id: string, kind: ApplicationFileKind, file: File): Promise<JobApplication> {
  // A lone surrogate cannot be encoded.
  const name = encodeURIComponent(file.name.replace(/\p{Surrogate}/gu, '_'));
  return read(
    api.PUT('/api/jobs/applications/{id}/files/{kind}', {
      params: { path: { id, kind }, header: { 'X-File-Name': name } },
      // The OpenAPI type of bytes is a string.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'Content-Type': 'application/pdf' },
    }),
  );
}

/** Uploads the files of a new application. The application exists whatever happens to them. */
export async function uploadFiles(application: JobApplication, files: ChosenFiles) {
  const failed: ApplicationFileKind[] = [];
  let stored = application;
  for (const kind of fileKinds) {
    const file = files[kind];
    if (!file) continue;
    try {
      stored = await uploadFile(application.id, kind, file);
    } catch {
      failed.push(kind);
    }
  }
  return { application: stored, failed };
}

/** Stores a file with an application, or deletes it with null. */
export function useFileChange(id: string, kind: ApplicationFileKind) {
  const { t } = useTranslation('jobs');
  const queryClient = useQueryClient();
  return useChange({
    // Serial: each response contains both files.
    scope: { id: `files of ${id}` },
    mutationFn: (file: File | null) =>
      file
        ? uploadFile(id, kind, file)
        : read(api.DELETE('/api/jobs/applications/{id}/files/{kind}', { params: { path: { id, kind } } })),
    failed: ({ message }) => t('changeFailed', { message }),
    onSuccess: (application) => applicationChanged(queryClient, application),
  });
}
