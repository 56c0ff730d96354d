// The dialog that creates or updates a community; server errors are shown at their fields.
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { communitySaved } from '@/api/communities';
import { keyPerBody } from '@/api/idempotency';
import type { CommunityDetails } from '@/api/schema.gen';
import { showFieldErrors } from '@/features/auth/failure';
import { setFormDefaults, useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { SelectField, TextArea, TextField } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';
import { showError, toast } from '@/ui/toast';
import {
  accesses,
  type CommunityForm,
  changesOf,
  communityFields,
  communitySchema,
  formOf,
  newCommunity,
} from './form';

setFormDefaults();

interface CommunityDialogProps {
  /** The community to update; null creates one. */
  community: CommunityDetails | null;
  open: boolean;
  onClose: () => void;
}

/** Needs the texts of `communities` and `forms`. */
export function CommunityDialog({ community, open, onClose }: CommunityDialogProps) {
  const { t } = useTranslation(['communities', 'shell']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerBody);
  const form = useForm<CommunityForm>({
    resolver: zodResolver(communitySchema),
    defaultValues: formOf(community),
  });
  const { handleSubmit, setError, watch } = form;
  const { isDirty, isSubmitting } = form.formState;
  const field = useFields(form);

  const save = (form: CommunityForm): Promise<CommunityDetails> => {
    if (community) {
      const params = { path: { id: community.id } };
      return read(api.PATCH('/api/communities/{id}', { params, body: changesOf(community, form) }));
    }
    const body = newCommunity(form);
    return read(api.POST('/api/communities', { body, headers: { 'Idempotency-Key': keyOf(body) } }));
  };

  const submit = handleSubmit(async (form) => {
    try {
      const saved = await save(form);
      communitySaved(queryClient, saved);
      onClose();
      toast({
        title: t(community ? 'form.saved' : 'form.created'),
        description: t(community ? 'form.savedText' : `form.createdText.${form.access}`, {
          name: saved.name,
        }),
        variant: 'success',
      });
      // In a later task: React would delay the toast until the new screen is ready.
      if (!community) setTimeout(() => void navigate(paths.community(saved.id)));
    } catch (error) {
      showError(
        t(community ? 'form.saveFailed' : 'form.createFailed', {
          message: error instanceof Error ? error.message : String(error),
        }),
      );
      showFieldErrors(error, communityFields, setError);
    }
  });

  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={isDirty}
      busy={isSubmitting}
      title={t(community ? 'form.edit' : 'create')}
      footerLine
      send={community ? t('shell:save') : t('form.create')}
      sending={t(community ? 'form.saving' : 'form.creating')}
      onSubmit={submit}
      className="grid grid-cols-1 gap-4 pb-5"
    >
      <TextField label={t('form.name')} autoComplete="off" {...field('name')} />
      <TextArea
        label={t('form.description')}
        hint={t('form.descriptionHint')}
        rows={2}
        className="field-sizing-content min-h-16"
        {...field('description')}
      />
      <TextArea
        label={t('form.rules')}
        hint={t('form.rulesHint')}
        rows={4}
        className="field-sizing-content min-h-24"
        {...field('rules')}
      />
      <SelectField
        label={t('form.access')}
        hint={t(`form.accessHint.${watch('access')}`)}
        {...field('access')}
      >
        {accesses.map((one) => (
          <option key={one} value={one}>
            {t(`form.accesses.${one}`)}
          </option>
        ))}
      </SelectField>
      {community?.joining === 'request' && watch('access') !== 'request' && (
        <p role="status" className="text-caption text-muted-foreground">
          {t('form.requestsEnd')}
        </p>
      )}
    </SubmitDialog>
  );
}
