// The dialog that creates or updates an event; server errors are shown at their fields.
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { eventSaved } from '@/api/events';
import { keyPerBody } from '@/api/idempotency';
import type { EventDetails } from '@/api/schema.gen';
import { showFieldErrors } from '@/features/auth/failure';
import { setFormDefaults, useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { SelectField, TextArea, TextField } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';
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
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerBody);
  const [begun] = useState(() => formOf(event));
  const form = useForm<EventForm>({
    resolver: zodResolver(eventSchema),
    defaultValues: begun,
  });
  const { handleSubmit, formState, getValues, setError, setValue } = form;
  const { isDirty, isSubmitting } = formState;
  const field = useFields(form);

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
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={isDirty}
      busy={isSubmitting}
      title={t(event ? 'form.edit' : 'create')}
      footerLine
      send={event ? t('shell:save') : t('form.create')}
      sending={t(event ? 'form.saving' : 'form.creating')}
      onSubmit={submit}
      className="grid grid-cols-1 gap-4 pb-5 sm:grid-cols-2"
    >
      <TextField
        fieldClassName="sm:col-span-2"
        label={t('form.title')}
        autoComplete="off"
        {...field('title')}
      />
      <TextField
        label={t('form.starts')}
        type="datetime-local"
        placeholder="YYYY-MM-DDTHH:MM"
        {...field('startDate', { onBlur: suggestEnd })}
      />
      <TextField
        label={t('form.ends')}
        type="datetime-local"
        placeholder="YYYY-MM-DDTHH:MM"
        {...field('endDate')}
      />
      <TimeZoneField
        fieldClassName="sm:col-span-2"
        label={t('form.timeZone')}
        hint={t('form.timeZoneHint')}
        chosen={begun.timeZone}
        {...field('timeZone')}
      />
      <TextField
        fieldClassName="sm:col-span-2"
        label={t('form.location')}
        hint={t('form.locationHint')}
        {...field('location')}
      />
      <TextArea
        fieldClassName="sm:col-span-2"
        label={t('form.description')}
        rows={4}
        className="field-sizing-content min-h-24"
        {...field('description')}
      />
    </SubmitDialog>
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
