// Uploads the PDF file of a post when it is selected; the server stores it until the post refers to it.
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

export function usePdf() {
  const { t } = useTranslation('posts');
  const upload = useChange({
    mutationFn: (file: File) =>
      read(
        api.POST('/api/pdf-files', {
          // A lone surrogate cannot be encoded.
          params: {
            header: { 'X-File-Name': encodeURIComponent(file.name.replace(/\p{Surrogate}/gu, '_')) },
          },
          // The OpenAPI type of bytes is a string.
          body: file as unknown as string,
          bodySerializer: (body) => body,
          headers: { 'Content-Type': 'application/pdf', 'Idempotency-Key': newIdempotencyKey() },
        }),
      ),
    failed: ({ message }) => t('pdfFailed', { message }),
  });
  const { data: stored = null, isPending: uploading, isError, variables } = upload;
  return {
    /** The selected file; null after a failed upload. */
    chosen: isError ? null : (variables ?? null),
    stored,
    uploading,
    choose: upload.mutate,
    clear: upload.reset,
  };
}
