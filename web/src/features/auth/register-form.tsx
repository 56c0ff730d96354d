// The register tab.
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { api, read } from '@/api/client';
import type { RegisterRequest } from '@/api/schema.gen';
import { SchoolField } from '@/features/schools/school-field';
import { useFields, useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { dismissToast, toast } from '@/ui/toast';
import { refusal, showFieldErrors } from './failure';
import { PasswordField } from './password-field';
import { ProofStatus } from './proof-status';
import { type RegisterForm as Form, registerSchema } from './schemas';
import { StrengthMeter } from './strength-meter';

const names = [
  'username',
  'password',
  'fullName',
  'headline',
  'location',
  'school',
  'graduationYear',
] as const;

/** `username` is the suggestion from the landing page. */
export function RegisterForm({ username = '' }: { username?: string }) {
  const { t } = useTranslation('auth');
  const formText = useFormText();
  const { enter } = useAuth();
  const form = useForm<Form>({
    resolver: zodResolver(registerSchema),
    defaultValues: {
      username,
      password: '',
      fullName: '',
      headline: '',
      location: '',
      school: '',
      graduationYear: '',
    },
  });
  const { errors, isSubmitting } = form.formState;
  const field = useFields(form);
  const [typedName, typedPassword] = form.watch(['username', 'password']);

  const submit = form.handleSubmit(
    async (values) => {
      try {
        const user = await read(api.POST('/api/auth/register', { body: answered(values) }));
        dismissToast();
        enter(user);
      } catch (error) {
        showFieldErrors<Form>(error, names, form.setError);
        toast({
          variant: 'destructive',
          title: t('toast.registrationFailed'),
          description: refusal(error).sentence ?? t('toast.checkInformation'),
        });
      }
    },
    () =>
      toast({
        variant: 'destructive',
        title: t('toast.invalid'),
        description: t('toast.checkFields'),
      }),
  );

  return (
    <form onSubmit={submit} noValidate className="mt-6 grid grid-cols-2 gap-4">
      <TextField
        fieldClassName="col-span-2"
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <PasswordField
        fieldClassName="col-span-2"
        hint={<StrengthMeter password={typedPassword} username={typedName} />}
        autoComplete="new-password"
        {...field('password')}
      />
      <TextField
        fieldClassName="col-span-2"
        label={t('fullName')}
        autoComplete="name"
        {...field('fullName')}
      />
      <TextField
        fieldClassName="col-span-2"
        label={t('headline')}
        autoComplete="organization-title"
        {...field('headline')}
      />
      <TextField
        fieldClassName="col-span-2"
        label={t('location')}
        autoComplete="address-level2"
        {...field('location')}
      />
      <Controller
        control={form.control}
        name="school"
        render={({ field: school }) => (
          <SchoolField
            fieldClassName="max-sm:col-span-2"
            label={t('school')}
            error={formText(errors.school?.message)}
            value={school.value}
            onChange={school.onChange}
            ref={school.ref}
          />
        )}
      />
      <TextField
        fieldClassName="max-sm:col-span-2"
        label={t('graduationYear')}
        inputMode="numeric"
        autoComplete="off"
        {...field('graduationYear')}
      />
      <div className="col-span-2 mt-2 grid">
        <Button type="submit" className="h-11" busy={isSubmitting} busyLabel={t('registering')}>
          {t('register')}
        </Button>
        <ProofStatus text="proofOfWork" />
      </div>
    </form>
  );
}

/** Omits optional fields that are empty. */
function answered(values: Form): RegisterRequest {
  const { username, password, fullName, ...optional } = values;
  return {
    username,
    password,
    fullName,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
  };
}
