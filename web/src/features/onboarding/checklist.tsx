// The steps of the checklist. Its code loads only for a member who has not done them.
import { Circle, CircleCheck, X } from 'lucide-react';
import { Link } from 'react-router';
import type { Onboarding, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { IconButton } from '@/ui/icon-button';
import { showError } from '@/ui/toast';
import { checklistFrame, checklistSteps } from './checklist-shape';
import { nextStep, useChangeOnboarding } from './use-onboarding';

export function Checklist({ user, onboarding }: { user: User; onboarding: Onboarding }) {
  const { t } = useTranslation('home');
  const change = useChangeOnboarding(user);
  const { items } = onboarding;
  const done = items.filter(({ state }) => state === 'done').length;
  const dismiss = () =>
    change.mutate(
      { dismissed: true },
      {
        onError: ({ message }) => showError(t('checklist.dismissFailed', { message })),
      },
    );
  return (
    <Card className={checklistFrame} aria-label={t('checklist.title')}>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-subhead text-pretty">{t('checklist.title')}</h2>
          <p className="text-caption text-muted-foreground tabular-nums">
            {t('checklist.progress', { done, all: items.length })}
          </p>
        </div>
        <Link
          to={paths.welcome(nextStep(onboarding) ?? undefined)}
          className={buttonClass({ variant: 'outline', size: 'sm' })}
        >
          {t('checklist.continue')}
        </Link>
        <IconButton
          icon={X}
          glyph="icon-sm"
          size="sm"
          className="-mr-2"
          disabled={change.isPending}
          label={t('checklist.dismiss')}
          onClick={dismiss}
        />
      </div>
      <ul className={checklistSteps}>
        {items.map(({ step, state }) => (
          <li key={step} className="flex min-h-8 items-center gap-2 text-caption">
            {state === 'done' ? (
              <>
                <CircleCheck className="icon-sm text-success-text" />
                <span className="text-muted-foreground">
                  <span aria-hidden="true">{t(`checklist.step.${step}`)}</span>
                  <span className="sr-only">
                    {t('checklist.stepDone', { step: t(`checklist.step.${step}`) })}
                  </span>
                </span>
              </>
            ) : (
              <>
                <Circle className="icon-sm text-muted-foreground" />
                <Link to={paths.welcome(step)} className="link reach min-w-0 font-medium">
                  {t(`checklist.step.${step}`)}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
