// The form of a decision: the decision, a reason that fits it, and an optional note; and its draft.
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { DecisionReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { type DraftKind, textDraft } from '@/session/drafts';
import { useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { DraftHint } from '@/ui/draft-hint';
import { SelectField, TextArea } from '@/ui/field';
import { Segmented } from '@/ui/segmented';

/** As the server accepts it. */
const longestNote = 1_000;

interface Choice<Decision extends string> {
  value: Decision;
  label: string;
  reasons: readonly DecisionReason[];
}

interface DecisionFormProps<Decision extends string> {
  choices: readonly Choice<Decision>[];
  busy: boolean;
  /** The place of the draft; null keeps nothing. */
  place: string | null;
  /** Whether leaving would discard a note. */
  onDirty?: (dirty: boolean) => void;
  /** `discard` removes the draft. */
  onDecide: (
    body: { decision: Decision; reason: DecisionReason; note?: string },
    discard: () => void,
  ) => void;
}

interface Decided<Decision extends string> {
  decision: Decision | null;
  reason: DecisionReason | '';
  note: string;
}

/** Kept for its note: the decision and the reason are a press each. */
const draftOf = <Decision extends string>(
  choices: readonly Choice<Decision>[],
): DraftKind<Decided<Decision>> => ({
  empty: { decision: choices.length === 1 ? (choices[0]?.value ?? null) : null, reason: '', note: '' },
  isEmpty: ({ note }) => textDraft.isEmpty(note),
  parse: (value) => {
    const { decision, reason, note } = { ...(value as Partial<Decided<Decision>> | null) };
    const choice = choices.find((one) => one.value === decision);
    // The content may have changed, and with it what can be decided.
    if (!choice || typeof note !== 'string') return null;
    return { decision: choice.value, reason: choice.reasons.find((one) => one === reason) ?? '', note };
  },
});

export function DecisionForm<Decision extends string>({
  choices,
  busy,
  place,
  onDirty,
  onDecide,
}: DecisionFormProps<Decision>) {
  const { t } = useTranslation('moderation');
  const id = useId();
  const kind = draftOf(choices);
  const { value, change } = useDraft(place, kind);
  const { decision, reason, note } = value;
  const dirty = !kind.isEmpty(value);
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  const [isChecked, setChecked] = useState(false);
  const chosen = choices.find(({ value }) => value === decision);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!decision || !reason || busy) return;
    const said = note.trim();
    onDecide({ decision, reason, ...(said && { note: said }) }, () => change(kind.empty));
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
            onChange={(next) => change({ ...value, decision: next, reason: '' })}
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
            onChange={({ target }) => change({ ...value, reason: target.value as DecisionReason | '' })}
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
            onChange={({ target }) => change({ ...value, note: target.value })}
          />
          {place !== null && (
            <DraftHint value={value} empty={kind.empty} isEmpty={!dirty} onChange={change} />
          )}
        </>
      )}
      <Button
        type="submit"
        variant={chosen?.reasons.includes('spam') ? 'destructive' : 'primary'}
        busy={busy}
        busyLabel={t('deciding')}
      >
        {chosen?.label ?? t('decide')}
      </Button>
    </form>
  );
}
