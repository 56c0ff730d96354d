// The Education tab.
import { useFormContext } from 'react-hook-form';
import { useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { TextArea, TextField } from '@/ui/field';
import { EntryList } from './entry-list';
import { newStudy, type ProfileForm } from './form';

export function EducationFields() {
  const { t } = useTranslation('profile');
  const { watch } = useFormContext<ProfileForm>();
  return (
    <EntryList
      name="education"
      empty={newStudy}
      names={watch('education').map(({ institution }) => institution.trim() || t('entry.newEducation'))}
      add={t('entry.addEducation')}
    >
      {(position) => <Study position={position} />}
    </EntryList>
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
