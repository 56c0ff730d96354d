// The Experience tab.
import { useFormContext } from 'react-hook-form';
import { useFields } from '@/i18n/form-texts';
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
  const form = useFormContext<ProfileForm>();
  const { register, watch } = form;
  const field = useFields(form);
  const at = `experiences.${position}` as const;
  return (
    <>
      <TextField fieldClassName="max-sm:col-span-2" label={t('field.title')} {...field(`${at}.title`)} />
      <TextField fieldClassName="max-sm:col-span-2" label={t('field.company')} {...field(`${at}.company`)} />
      <TextField
        label={t('field.startDate')}
        type="month"
        placeholder={t('field.month')}
        {...field(`${at}.startDate`)}
      />
      {watch(`${at}.isCurrentPosition`) ? (
        // Another key remounts the field: the date returns when the position is no longer current.
        <TextField key="present" label={t('field.endDate')} disabled value={t('field.present')} />
      ) : (
        <TextField
          key="date"
          label={t('field.endDate')}
          type="month"
          placeholder={t('field.month')}
          {...field(`${at}.endDate`)}
        />
      )}
      <Checkbox
        className="col-span-2"
        label={t('field.currentPosition')}
        {...register(`${at}.isCurrentPosition`)}
      />
      <TextField fieldClassName="col-span-2" label={t('field.location')} {...field(`${at}.location`)} />
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
