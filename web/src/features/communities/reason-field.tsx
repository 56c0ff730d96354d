// The choice of an optional reason for a removal.
import { communityReasons } from '@/api/community-moderation';
import type { CommunityReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { SelectField } from '@/ui/field';

interface ReasonFieldProps {
  value: CommunityReason | null;
  onChange: (reason: CommunityReason | null) => void;
  hint: string;
}

export function ReasonField({ value, onChange, hint }: ReasonFieldProps) {
  const { t } = useTranslation('manage');
  return (
    <SelectField
      label={t('reason')}
      hint={hint}
      value={value ?? ''}
      onChange={({ target }) => onChange(communityReasons.find((one) => one === target.value) ?? null)}
    >
      <option value="">{t('reasons.none')}</option>
      {communityReasons.map((one) => (
        <option key={one} value={one}>
          {t(`reasons.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}
