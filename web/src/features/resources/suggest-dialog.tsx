// The dialog that suggests a resource; the resource is hidden until an operator approves it.
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { api } from '@/api/client';
import { ApiError } from '@/api/error';
import { showFieldErrors } from '@/features/auth/failure';
import { setFormDefaults, useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { SelectField, TextArea, TextField } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';
import { showError, toast } from '@/ui/toast';
import {
  emptySuggestion,
  newResource,
  type SuggestionForm,
  suggestionFields,
  suggestionSchema,
} from './form';
import { resourceKinds } from './kind';

setFormDefaults();

/** Needs the texts of `resources` and `forms`. */
export function SuggestDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('resources');
  const form = useForm<SuggestionForm>({
    resolver: zodResolver(suggestionSchema),
    defaultValues: emptySuggestion,
  });
  const { handleSubmit, setError } = form;
  const { isDirty, isSubmitting } = form.formState;
  const field = useFields(form);

  const submit = handleSubmit(async (form) => {
    try {
      await api.POST('/api/resources', { body: newResource(form) });
      onClose();
      toast({ title: t('form.sent'), description: t('form.sentText'), variant: 'success' });
    } catch (error) {
      showError(t('form.failed', { message: error instanceof Error ? error.message : String(error) }));
      showFieldErrors(error, suggestionFields, setError);
      // The only conflict that belongs to a field.
      if (error instanceof ApiError && error.code === 'RESOURCE_KNOWN')
        setError('url', { message: 'resources:form.known' }, { shouldFocus: true });
    }
  });

  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={isDirty}
      busy={isSubmitting}
      title={t('suggest')}
      footerLine
      send={t('form.send')}
      sending={t('form.sending')}
      onSubmit={submit}
      className="space-y-4 pb-5"
    >
      <p className="text-ui text-pretty text-muted-foreground">{t('form.about')}</p>
      <TextField label={t('form.title')} autoComplete="off" {...field('title')} />
      <TextField
        label={t('form.url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        {...field('url')}
      />
      <SelectField label={t('form.type')} {...field('type')}>
        {resourceKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kind.${kind}`)}
          </option>
        ))}
      </SelectField>
      <TextArea
        label={t('form.description')}
        hint={t('form.descriptionHint')}
        rows={3}
        className="field-sizing-content min-h-20"
        {...field('description')}
      />
    </SubmitDialog>
  );
}
