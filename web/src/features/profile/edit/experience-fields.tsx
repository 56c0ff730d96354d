// The Experience tab.
import { useFormContext } from 'react-hook-form';
import { useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Checkbox, TextArea, TextField } from '@/ui/field';
import { EntryList } from './entry-list';
import { newExperience, type ProfileForm } from './form';

export function ExperienceFields() {
  const { t } = useTranslation('profile');
  const { watch } = useFormContext<ProfileForm>();
  return (
    <EntryList
      name="experiences"
      empty={newExperience}
      names={watch('experiences').map(({ company }) => company.trim() || t('entry.newExperience'))}
      add={t('entry.addExperience')}
    >
      {(position) => <Position position={position} />}
    </EntryList>
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
        // Another key remounts the field: the date returns when the position is no longer current.
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
