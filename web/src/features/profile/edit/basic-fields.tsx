// The Basic Info tab: photo, name, place, headline, bio, and two links.
import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import type { User } from '@/api/schema.gen';
import { SchoolField } from '@/features/schools/school-field';
import { useFields, useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { TextArea, TextField } from '@/ui/field';
import { showError } from '@/ui/toast';
import { InterestsField, JurisdictionsField } from '../focus-fields';
import type { ProfileForm } from './form';

const photoTypes = ['image/png', 'image/jpeg'];

export function BasicFields({ user }: { user: User }) {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const form = useFormContext<ProfileForm>();
  const { errors } = form.formState;
  const field = useFields(form);
  const chooser = useRef<HTMLInputElement>(null);
  const photo = usePhoto();

  return (
    <>
      <div className="mt-5 flex flex-wrap items-center gap-4">
        <Avatar user={{ ...user, avatarUrl: photo.address || null }} size={72} decorative />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap gap-2">
            <Button
              variant="outline"
              size="sm"
              aria-describedby="photo-hint"
              busy={photo.isBusy}
              onClick={() => chooser.current?.click()}
            >
              <Upload className="icon-sm" />
              {t('photo.upload')}
            </Button>
            {photo.address && (
              <Button variant="ghost" size="sm" disabled={photo.isBusy} onClick={() => photo.set('')}>
                {t('photo.remove')}
              </Button>
            )}
          </div>
          <p id="photo-hint" className="mt-1.5 text-caption text-muted-foreground">
            {t('photo.hint')}
          </p>
          {errors.avatarUrl && (
            <p role="alert" className="mt-1 text-caption text-destructive-text">
              {formText(errors.avatarUrl.message)}
            </p>
          )}
        </div>
      </div>
      <div className="mt-5 grid grid-cols-2 gap-4 pb-5">
        <TextField
          fieldClassName="max-sm:col-span-2"
          label={t('field.fullName')}
          autoComplete="name"
          {...field('fullName')}
        />
        <TextField
          fieldClassName="max-sm:col-span-2"
          label={t('field.location')}
          autoComplete="address-level2"
          {...field('location')}
        />
        <TextField
          fieldClassName="col-span-2"
          label={t('field.headline')}
          autoComplete="organization-title"
          {...field('headline')}
        />
        <TextArea
          fieldClassName="col-span-2"
          label={t('field.bio')}
          rows={3}
          className="field-sizing-content min-h-22"
          {...field('bio')}
        />
        <TextField
          fieldClassName="max-sm:col-span-2"
          label={t('website')}
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          {...field('website')}
        />
        <TextField
          fieldClassName="max-sm:col-span-2"
          label={t('linkedin')}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          {...field('linkedin')}
        />
        <StudyFields />
      </div>
      {/* The last element, because the dialog focuses its first field. */}
      <input
        ref={chooser}
        type="file"
        hidden
        accept={photoTypes.join()}
        aria-label={t('photo.upload')}
        onChange={photo.choose}
      />
    </>
  );
}

/** The fields that follow the specification's fields. */
function StudyFields() {
  const { t } = useTranslation('focus');
  const formText = useFormText();
  const form = useFormContext<ProfileForm>();
  const { control } = form;
  const { errors } = form.formState;
  const fieldOf = useFields(form);
  return (
    <>
      <Controller
        control={control}
        name="school"
        render={({ field }) => (
          <SchoolField
            fieldClassName="max-sm:col-span-2"
            label={t('school')}
            error={formText(errors.school?.message)}
            value={field.value}
            onChange={field.onChange}
            ref={field.ref}
          />
        )}
      />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('graduationYear')}
        inputMode="numeric"
        autoComplete="off"
        {...fieldOf('graduationYear')}
      />
      <div className="col-span-2">
        <Controller
          control={control}
          name="jurisdictions"
          render={({ field }) => (
            <JurisdictionsField
              value={field.value}
              onChange={field.onChange}
              error={formText(errors.jurisdictions?.message)}
            />
          )}
        />
      </div>
      <div className="col-span-2">
        <Controller
          control={control}
          name="interests"
          render={({ field }) => (
            <InterestsField
              value={field.value}
              onChange={field.onChange}
              error={formText(errors.interests?.message)}
            />
          )}
        />
      </div>
    </>
  );
}

/** The photo of the form; a newly selected photo is scaled first. */
function usePhoto() {
  const { t } = useTranslation('profile');
  const form = useFormContext<ProfileForm>();
  const [isBusy, setBusy] = useState(false);
  const set = (address: string) => {
    form.clearErrors('avatarUrl');
    form.setValue('avatarUrl', address, { shouldDirty: true });
  };

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Allows selecting the same file again.
    target.value = '';
    if (!file) return;
    setBusy(true);
    try {
      if (!photoTypes.includes(file.type)) throw new Error(`${file.type} is no photo`);
      const { scaledPhoto } = await import('./picture');
      set(await scaledPhoto(file));
    } catch {
      showError(t('photo.failed'));
    } finally {
      setBusy(false);
    }
  };

  return { address: form.watch('avatarUrl'), isBusy, set, choose };
}
