// Four bars and a line under a new password: how strong it is, and what would help.
import { useTranslation } from '@/i18n/use-translation';
import { type Strength, strengthOf, strengths } from './strength';

const fills: Record<Strength, string> = {
  weak: 'bg-destructive-text',
  fair: 'bg-muted-foreground',
  good: 'bg-success-text',
  strong: 'bg-success-text',
};

interface StrengthMeterProps {
  password: string;
  /** Whose password it is to be: their name is no good one. */
  username?: string;
}

/** Made of spans, because it stands in the paragraph of a field's hint. */
export function StrengthMeter({ password, username }: StrengthMeterProps) {
  const { t } = useTranslation('auth');
  const rated = password ? strengthOf(password, username) : null;
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
            {t(`strength.advice.${rated.advice}`)}
          </>
        ) : (
          t('strength.start')
        )}
      </span>
    </>
  );
}
