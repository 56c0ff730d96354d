// The steps that fill in the profile: school, year of graduation, jurisdictions and interests.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { profileQuery } from '@/api/queries';
import type { UpdateUser, User } from '@/api/schema.gen';
import { InterestsField, JurisdictionsField } from '@/features/profile/focus-fields';
import { graduationYears, isGraduationYear } from '@/features/profile/graduation-year';
import { SchoolField } from '@/features/schools/school-field';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { TextField } from '@/ui/field';
import { StepFrame } from './step-frame';

export interface StepProps {
  user: User;
  /** The step is answered. */
  onDone: () => void;
  onSkip: () => void;
}

/** Saves a part of the profile. The server's answer about a field is shown at the field. */
function useSaveUser(user: User, onDone: () => void) {
  const { t } = useTranslation('welcome');
  const queryClient = useQueryClient();
  const { update } = useAuth();
  const { queryKey } = profileQuery(user.id);
  return useChange({
    mutationFn: (body: UpdateUser) =>
      read(api.PATCH('/api/users/{id}', { params: { path: { id: user.id } }, body })),
    failed: (error) =>
      error instanceof ApiError && Object.keys(error.fields).length > 0
        ? null
        : t('saveFailed', { message: error.message }),
    onSuccess: (saved) => {
      update(saved);
      queryClient.setQueryData(queryKey, (view) => view && { ...view, user: saved });
      onDone();
    },
  });
}

const fieldError = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.fields[field] : undefined;

export function SchoolStep({ user, onDone, onSkip }: StepProps) {
  const { t } = useTranslation(['welcome', 'focus']);
  const [school, setSchool] = useState(user.school ?? '');
  const save = useSaveUser(user, onDone);
  return (
    <StepFrame
      step="school"
      action={t('save')}
      disabled={school.trim() === ''}
      busy={save.isPending}
      onSubmit={() => save.mutate({ school: school.trim() })}
      onSkip={onSkip}
    >
      <SchoolField
        label={t('focus:school')}
        hint={t('focus:schoolHint')}
        error={fieldError(save.error, 'school')}
        value={school}
        onChange={setSchool}
      />
    </StepFrame>
  );
}

export function YearStep({ user, onDone, onSkip }: StepProps) {
  const { t } = useTranslation(['welcome', 'focus']);
  const [year, setYear] = useState(user.graduationYear ?? '');
  const [isChecked, setChecked] = useState(false);
  const save = useSaveUser(user, onDone);
  const { first, last } = graduationYears();
  const text = year.trim();
  const isWrong = isChecked && !isGraduationYear(text);
  const submit = () => {
    setChecked(true);
    if (isGraduationYear(text)) save.mutate({ graduationYear: text });
  };
  return (
    <StepFrame
      step="graduation-year"
      action={t('save')}
      disabled={text === ''}
      busy={save.isPending}
      onSubmit={submit}
      onSkip={onSkip}
    >
      <TextField
        label={t('focus:graduationYear')}
        error={isWrong ? t('focus:year', { first, last }) : fieldError(save.error, 'graduationYear')}
        inputMode="numeric"
        autoComplete="off"
        value={year}
        onChange={({ target }) => setYear(target.value)}
      />
    </StepFrame>
  );
}

export function InterestsStep({ user, onDone, onSkip }: StepProps) {
  const { t } = useTranslation('welcome');
  const [jurisdictions, setJurisdictions] = useState(user.jurisdictions ?? []);
  const [interests, setInterests] = useState(user.interests ?? []);
  const save = useSaveUser(user, onDone);
  return (
    <StepFrame
      step="interests"
      action={t('save')}
      disabled={jurisdictions.length + interests.length === 0}
      busy={save.isPending}
      onSubmit={() => save.mutate({ jurisdictions, interests })}
      onSkip={onSkip}
    >
      <div className="space-y-5">
        <JurisdictionsField
          value={jurisdictions}
          onChange={setJurisdictions}
          error={fieldError(save.error, 'jurisdictions')}
        />
        <InterestsField
          value={interests}
          onChange={setInterests}
          error={fieldError(save.error, 'interests')}
        />
      </div>
    </StepFrame>
  );
}
