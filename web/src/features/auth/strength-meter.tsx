// Four bars and a line under a new password: its strength and advice.
import { useTranslation } from '@/i18n/use-translation';
import { usePasswordAdvice } from './password-advice';
import { type Strength, strengthOf, strengths } from './strength';

const fills: Record<Strength, string> = {
  weak: 'bg-destructive-text',
  fair: 'bg-muted-foreground',
  good: 'bg-success-text',
  strong: 'bg-success-text',
};

interface StrengthMeterProps {
  password: string;
  /** The owner of the password; a password with their name is weak. */
  username?: string;
}

/** Uses spans because a field's hint is a paragraph. */
export function StrengthMeter({ password, username }: StrengthMeterProps) {
  const { t } = useTranslation('auth');
  const { minLength, guessable } = usePasswordAdvice(password, username ?? '');
  const rated = password ? strengthOf(password, username, { minLength, guessable }) : null;
  const filled = rated ? strengths.indexOf(rated.strength) + 1 : 0;
  return (
    <>
      <span aria-hidden="true" className="mb-1.5 grid grid-cols-4 gap-1">
        {strengths.map((strength, at) => (
          <span
            key={strength}
            className={`h-1 rounded-full ${rated && at < filled ? fills[rated.strength] : 'bg-border'}`}
          />
        ))}
      </span>
      <span aria-live="polite" className="block">
        {rated ? (
          <>
            <span className="font-semibold text-foreground">{t(`strength.${rated.strength}`)}</span>{' '}
            {t(`strength.advice.${rated.advice}`, { minimum: minLength })}
          </>
        ) : (
          t('strength.start', { minimum: minLength })
        )}
      </span>
    </>
  );
}
