// A password field with a button that shows its content.
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';

interface PasswordFieldProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'label' | 'trailing'> {
  /** By default 'Password'. */
  label?: string;
}

export function PasswordField({ label, ...props }: PasswordFieldProps) {
  const { t } = useTranslation('auth');
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      label={label ?? t('password')}
      type={shown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={t(shown ? 'hidePassword' : 'showPassword')}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-10 cursor-pointer place-items-center rounded-md text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2"
        >
          <Icon className="icon-sm" />
        </button>
      }
    />
  );
}
