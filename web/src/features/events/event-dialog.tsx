// The dialog that creates or updates an event; server errors are shown at their fields.
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { eventSaved } from '@/api/events';
import { keyPerBody } from '@/api/idempotency';
import type { EventDetails } from '@/api/schema.gen';
import { showFieldErrors } from '@/features/auth/failure';
import { setFormDefaults, useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { SelectField, TextArea, TextField } from '@/ui/field';
import { FormButtons } from '@/ui/form-buttons';
import { FormDialog } from '@/ui/form-dialog';
import { showError, toast } from '@/ui/toast';
import { changesOf, type EventForm, eventFields, eventSchema, formOf, newEvent } from './form';
import { hourLater } from './wall-clock';

setFormDefaults();

interface EventDialogProps {
  /** The event to update; null creates one. */
  event: EventDetails | null;
  open: boolean;
  onClose: () => void;
}

/** Needs the texts of `events` and `forms`. */
export function EventDialog({ event, open, onClose }: EventDialogProps) {
  const { t } = useTranslation(['events', 'shell']);
  const id = useId();
  const formText = useFormText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerBody);
  const [begun] = useState(() => formOf(event));
  const { register, handleSubmit, formState, getValues, setError, setValue } = useForm<EventForm>({
    resolver: zodResolver(eventSchema),
    defaultValues: begun,
  });
  const { errors, isDirty, isSubmitting } = formState;

  const save = (form: EventForm): Promise<EventDetails> => {
    if (event) {
      const params = { path: { id: event.id } };
      return read(api.PATCH('/api/events/{id}', { params, body: changesOf(event, form) }));
    }
    const body = newEvent(form);
    return read(api.POST('/api/events', { body, headers: { 'Idempotency-Key': keyOf(body) } }));
  };

  const submit = handleSubmit(async (form) => {
    try {
      const saved = await save(form);
      eventSaved(queryClient, saved);
      onClose();
      toast({
        title: t(event ? 'form.saved' : 'form.created'),
        description: t(event ? 'form.savedText' : 'form.createdText', { title: saved.title }),
        variant: 'success',
      });
      // In a later task: React would delay the toast until the new screen is ready.
      if (!event) setTimeout(() => void navigate(paths.event(saved.id)));
    } catch (error) {
      showError(
        t(event ? 'form.saveFailed' : 'form.createFailed', {
          message: error instanceof Error ? error.message : String(error),
        }),
      );
      showFieldErrors(error, eventFields, setError);
    }
  });

  const suggestEnd = () => {
    const { startDate, endDate } = getValues();
    // After a refused form, the error of the missing end goes.
    if (!endDate) setValue('endDate', hourLater(startDate), { shouldValidate: formState.isSubmitted });
  };

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      dirty={isDirty}
      busy={isSubmitting}
      title={t(event ? 'form.edit' : 'create')}
      footerLine
      footer={
        <FormButtons
          form={id}
          send={event ? t('shell:save') : t('form.create')}
          sending={t(event ? 'form.saving' : 'form.creating')}
          busy={isSubmitting}
        />
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid grid-cols-1 gap-4 pb-5 sm:grid-cols-2">
        <TextField
          fieldClassName="sm:col-span-2"
          label={t('form.title')}
          error={formText(errors.title?.message)}
          autoComplete="off"
          {...register('title')}
        />
        <TextField
          label={t('form.starts')}
          error={formText(errors.startDate?.message)}
          type="datetime-local"
          placeholder="YYYY-MM-DDTHH:MM"
          {...register('startDate', { onBlur: suggestEnd })}
        />
        <TextField
          label={t('form.ends')}
          error={formText(errors.endDate?.message)}
          type="datetime-local"
          placeholder="YYYY-MM-DDTHH:MM"
          {...register('endDate')}
        />
        <TimeZoneField
          fieldClassName="sm:col-span-2"
          label={t('form.timeZone')}
          hint={t('form.timeZoneHint')}
          error={formText(errors.timeZone?.message)}
          chosen={begun.timeZone}
          {...register('timeZone')}
        />
        <TextField
          fieldClassName="sm:col-span-2"
          label={t('form.location')}
          hint={t('form.locationHint')}
          error={formText(errors.location?.message)}
          {...register('location')}
        />
        <TextArea
          fieldClassName="sm:col-span-2"
          label={t('form.description')}
          error={formText(errors.description?.message)}
          rows={4}
          className="field-sizing-content min-h-24"
          {...register('description')}
        />
      </form>
    </FormDialog>
  );
}

interface Region {
  name: string;
  zones: string[];
}

/** By region and city; zones without a region come first. Includes `chosen` even if it is obsolete. */
function regionsWith(chosen: string): Region[] {
  const regions = new Map<string, string[]>([['', ['UTC']]]);
  for (const zone of new Set([...Intl.supportedValuesOf('timeZone'), chosen].toSorted())) {
    const region = zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : '';
    const zones = regions.get(region) ?? [];
    if (!zones.includes(zone)) regions.set(region, [...zones, zone]);
  }
  return Array.from(regions, ([name, zones]) => ({ name, zones }));
}

const words = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');

/** `chosen` is the initial zone of the form. */
function TimeZoneField({ chosen, ...rest }: ComponentProps<typeof SelectField> & { chosen: string }) {
  return (
    <SelectField {...rest}>
      {regionsWith(chosen).map(({ name, zones }) => {
        const options = zones.map((zone) => (
          <option key={zone} value={zone}>
            {words(zone)}
          </option>
        ));
        return name ? (
          <optgroup key={name} label={name}>
            {options}
          </optgroup>
        ) : (
          options
        );
      })}
    </SelectField>
  );
}
