// One step: its question, its content, and the buttons to answer or skip it.
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { OnboardingStep } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';

interface StepFrameProps {
  step: OnboardingStep;
  /** The label of the main button; the step cannot be answered while it is disabled. */
  action: string;
  disabled?: boolean;
  busy?: boolean;
  onSubmit: () => void;
  onSkip: () => void;
  children: ReactNode;
}

export function StepFrame({ step, action, disabled, busy, onSubmit, onSkip, children }: StepFrameProps) {
  const { t } = useTranslation('welcome');
  const heading = useRef<HTMLHeadingElement>(null);
  // A new step announces itself.
  useEffect(() => heading.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disabled && !busy) onSubmit();
  };
  return (
    <Card className="p-5 md:p-6">
      <form noValidate onSubmit={submit}>
        <h2 ref={heading} tabIndex={-1} className="font-serif text-heading text-balance outline-none">
          {t(`${step}.title`)}
        </h2>
        <p className="mt-1 mb-5 text-body text-pretty text-muted-foreground">{t(`${step}.text`)}</p>
        {children}
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button variant="ghost" disabled={busy} onClick={onSkip}>
            {t('skip')}
          </Button>
          <Button type="submit" disabled={disabled} busy={busy} busyLabel={t('saving')}>
            {action}
          </Button>
        </div>
      </form>
    </Card>
  );
}
