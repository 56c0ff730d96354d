// The Education tab.
import { useFormContext } from 'react-hook-form';
import { useFields } from '@/i18n/form-texts';
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
  const field = useFields(useFormContext<ProfileForm>());
  const at = `education.${position}` as const;
  return (
    <>
      <TextField fieldClassName="col-span-2" label={t('field.institution')} {...field(`${at}.institution`)} />
      <TextField fieldClassName="max-sm:col-span-2" label={t('field.degree')} {...field(`${at}.degree`)} />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('field.fieldOfStudy')}
        {...field(`${at}.fieldOfStudy`)}
      />
      <TextField
        label={t('field.startDate')}
        type="month"
        placeholder={t('field.month')}
        {...field(`${at}.startDate`)}
      />
      <TextField
        label={t('field.endDate')}
        type="month"
        placeholder={t('field.month')}
        {...field(`${at}.endDate`)}
      />
      <TextArea
        fieldClassName="col-span-2"
        label={t('field.description')}
        rows={2}
        className="field-sizing-content min-h-16"
        {...field(`${at}.description`)}
      />
    </>
  );
}
