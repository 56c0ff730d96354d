// The form of a decision: the decision, a reason that fits it, and an optional note.
import { type FormEvent, useId, useState } from 'react';
import type { DecisionReason } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { SelectField, TextArea } from '@/ui/field';
import { Segmented } from '@/ui/segmented';

/** As the server accepts it. */
const longestNote = 1_000;

export interface Choice<Decision extends string> {
  value: Decision;
  label: string;
  /** The label of the button. */
  action: string;
  reasons: readonly DecisionReason[];
}

interface DecisionFormProps<Decision extends string> {
  choices: readonly Choice<Decision>[];
  busy: boolean;
  onDecide: (body: { decision: Decision; reason: DecisionReason; note?: string }) => void;
}

/** Needs the texts of `moderation`. */
export function DecisionForm<Decision extends string>({
  choices,
  busy,
  onDecide,
}: DecisionFormProps<Decision>) {
  const { t } = useTranslation('moderation');
  const id = useId();
  const [decision, setDecision] = useState<Decision | null>(
    choices.length === 1 ? (choices[0]?.value ?? null) : null,
  );
  const [reason, setReason] = useState<DecisionReason | ''>('');
  const [note, setNote] = useState('');
  const [isChecked, setChecked] = useState(false);
  const chosen = choices.find(({ value }) => value === decision);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!decision || !reason || busy) return;
    const said = note.trim();
    onDecide({ decision, reason, ...(said && { note: said }) });
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="text-subhead">
        {t('decide')}
      </h3>
      {choices.length > 1 && (
        <div>
          <Segmented
            labelledBy={`${id}-title`}
            options={choices}
            value={decision}
            onChange={(next) => {
              setDecision(next);
              setReason('');
            }}
          />
        </div>
      )}
      {isChecked && !decision && (
        <p role="alert" className="text-caption text-destructive-text">
          {t('decisionMissing')}
        </p>
      )}
      {chosen && (
        <>
          <SelectField
            label={t('reason')}
            value={reason}
            error={isChecked && !reason ? t('reasonMissing') : undefined}
            onChange={({ target }) => setReason(target.value as DecisionReason | '')}
          >
            <option value="">{t('chooseReason')}</option>
            {chosen.reasons.map((one) => (
              <option key={one} value={one}>
                {t(`reasons.${one}`)}
              </option>
            ))}
          </SelectField>
          <TextArea
            label={t('note')}
            hint={t('noteHint')}
            rows={2}
            maxLength={longestNote}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </>
      )}
      <Button
        type="submit"
        variant={chosen?.reasons.includes('spam') ? 'destructive' : 'primary'}
        busy={busy}
        busyLabel={t('deciding')}
      >
        {chosen?.action ?? t('decide')}
      </Button>
    </form>
  );
}
