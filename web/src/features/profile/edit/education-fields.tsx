// The Education tab.
import { Plus } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormText } from '@/i18n/form-texts';
import { Button } from '@/ui/button';
import { TextArea, TextField } from '@/ui/field';
import { Entry } from './entry';
import { newStudy, type ProfileForm } from './form';
import { useEntries } from './use-entries';

export function EducationFields() {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const { formState, watch } = useFormContext<ProfileForm>();
  const entries = useEntries({ name: 'education', empty: newStudy });
  const institutions = watch('education').map(({ institution }) => institution.trim());
  const error = formText(formState.errors.education?.root?.message);

  return (
    <div className="mt-5 space-y-4 pb-5">
      {entries.fields.map(({ key }, position) => {
        const name = institutions[position] || t('entry.newEducation');
        return (
          <Entry
            key={key}
            name={name}
            position={position}
            count={entries.fields.length}
            onMove={(to) => entries.move(position, to, name)}
            onRemove={() => entries.remove(position)}
          >
            <Study position={position} />
          </Entry>
        );
      })}
      <Button ref={entries.adder} variant="outline" className="w-full" onClick={entries.add}>
        <Plus className="icon-sm" aria-hidden="true" />
        {t('entry.addEducation')}
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

function Study({ position }: { position: number }) {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const { register, formState } = useFormContext<ProfileForm>();
  const errors = formState.errors.education?.[position];
  const at = `education.${position}` as const;
  return (
    <>
      <TextField
        fieldClassName="col-span-2"
        label={t('field.institution')}
        error={formText(errors?.institution?.message)}
        {...register(`${at}.institution`)}
      />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('field.degree')}
        error={formText(errors?.degree?.message)}
        {...register(`${at}.degree`)}
      />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('field.fieldOfStudy')}
        error={formText(errors?.fieldOfStudy?.message)}
        {...register(`${at}.fieldOfStudy`)}
      />
      <TextField
        label={t('field.startDate')}
        error={formText(errors?.startDate?.message)}
        type="month"
        placeholder={t('field.month')}
        {...register(`${at}.startDate`)}
      />
      <TextField
        label={t('field.endDate')}
        error={formText(errors?.endDate?.message)}
        type="month"
        placeholder={t('field.month')}
        {...register(`${at}.endDate`)}
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
