// The member's own notes on an application, edited in place.
import type { SyntheticEvent } from 'react';
import type { JobApplication } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { TextArea } from '@/ui/field';
import { toast } from '@/ui/toast';
import { useApplicationChange } from './application-change';
import { notesAtMost } from './notes';

interface ApplicationNotesProps {
  application: JobApplication;
  /** The edited text; null while the field shows the saved notes. */
  draft: string | null;
  onDraft: (draft: string | null) => void;
}

export function ApplicationNotes({ application, draft, onDraft }: ApplicationNotesProps) {
  const { t } = useTranslation('jobs');
  const saved = application.notes ?? '';
  const change = useApplicationChange(application.id);
  const text = draft ?? saved;
  const idle = text.trim() === saved.trim();

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (idle || change.isPending) return;
    change.mutate(
      { notes: text.trim() },
      {
        onSuccess: () => {
          onDraft(null);
          toast({ title: t('notesSaved'), variant: 'success' });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-end gap-2.5">
      <TextArea
        fieldClassName="w-full"
        // Not the question above it: a key would answer that.
        data-initial-focus
        label={t('notes')}
        hint={t('notesHint')}
        maxLength={notesAtMost}
        rows={3}
        className="field-sizing-content max-h-60 min-h-20"
        value={text}
        onChange={({ target }) => onDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <Button type="submit" size="sm" aria-disabled={idle || change.isPending}>
        {t('saveNotes')}
      </Button>
    </form>
  );
}
