// The Experience tab.
import { Plus } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormText } from '@/i18n/form-texts';
import { Button } from '@/ui/button';
import { Checkbox, TextArea, TextField } from '@/ui/field';
import { Entry } from './entry';
import { newExperience, type ProfileForm } from './form';
import { useEntries } from './use-entries';

export function ExperienceFields() {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const { formState, watch } = useFormContext<ProfileForm>();
  const entries = useEntries({ name: 'experiences', empty: newExperience });
  const companies = watch('experiences').map(({ company }) => company.trim());
  const error = formText(formState.errors.experiences?.root?.message);

  return (
    <div className="mt-5 space-y-4 pb-5">
      {entries.fields.map(({ key }, position) => {
        const name = companies[position] || t('entry.newExperience');
        return (
          <Entry
            key={key}
            name={name}
            position={position}
            count={entries.fields.length}
            onMove={(to) => entries.move(position, to, name)}
            onRemove={() => entries.remove(position)}
          >
            <Position position={position} />
          </Entry>
        );
      })}
      <Button ref={entries.adder} variant="outline" className="w-full" onClick={entries.add}>
        <Plus className="icon-sm" aria-hidden="true" />
        {t('entry.addExperience')}
      </Button>
      {error && (
        <p role="alert" className="text-caption text-destructive-text">
          {error}
        </p>
      )}
      <p className="sr-only" aria-live="polite">
        {entries.said}
      </p>
    </div>
  );
}

function Position({ position }: { position: number }) {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const { register, formState, watch } = useFormContext<ProfileForm>();
  const errors = formState.errors.experiences?.[position];
  const at = `experiences.${position}` as const;
  return (
    <>
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('field.title')}
        error={formText(errors?.title?.message)}
        {...register(`${at}.title`)}
      />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('field.company')}
        error={formText(errors?.company?.message)}
        {...register(`${at}.company`)}
      />
      <TextField
        label={t('field.startDate')}
        error={formText(errors?.startDate?.message)}
        type="month"
        placeholder={t('field.month')}
        {...register(`${at}.startDate`)}
      />
      {watch(`${at}.isCurrentPosition`) ? (
        // Another key is another element: the date comes back when the position is no longer the present one.
        <TextField key="present" label={t('field.endDate')} disabled value={t('field.present')} />
      ) : (
        <TextField
          key="date"
          label={t('field.endDate')}
          error={formText(errors?.endDate?.message)}
          type="month"
          placeholder={t('field.month')}
          {...register(`${at}.endDate`)}
        />
      )}
      <Checkbox
        className="col-span-2"
        label={t('field.currentPosition')}
        {...register(`${at}.isCurrentPosition`)}
      />
      <TextField
        fieldClassName="col-span-2"
        label={t('field.location')}
        error={formText(errors?.location?.message)}
        {...register(`${at}.location`)}
      />
      <TextArea
        fieldClassName="col-span-2"
        label={t('field.description')}
        error={formText(errors?.description?.message)}
        rows={2}
        className="field-sizing-content min-h-16"
        {...register(`${at}.description`)}
      />
    </>
  );
}
