// The checklist of a new member on the home screen, until its steps are done or it is dismissed.
import { Circle, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Onboarding, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button, buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Loading, Skeleton } from '@/ui/skeleton';
import { toast } from '@/ui/toast';
import { rememberChecklist, rememberedChecklist } from './remembered';
import { isDone, nextStep, useChangeOnboarding, useOnboarding } from './use-onboarding';

/** A new member has the card from the first paint, so that the posts below it do not move. Needs the texts of `home`. */
export function ChecklistCard({ user }: { user: User }) {
  const [remembered] = useState(() => rememberedChecklist(user.id) ?? (isNew(user) ? 'open' : 'done'));
  const { onboarding, data, isPending } = useOnboarding(user);
  const isOpen = onboarding ? !onboarding.dismissed && !isDone(onboarding) : false;
  useEffect(() => {
    // A failed answer says nothing about the checklist.
    if (data) rememberChecklist(user.id, isOpen ? 'open' : 'done');
  }, [data, isOpen, user.id]);

  if (onboarding && isOpen) return <Checklist user={user} onboarding={onboarding} />;
  return isPending && remembered === 'open' ? <ChecklistSkeleton /> : null;
}

/** Registered today, with tolerance for a wrong clock. */
function isNew({ createdAt }: User): boolean {
  return Math.abs(Date.now() - Date.parse(createdAt)) < 86_400_000;
}

const frame = 'p-4 md:px-5';
const list = 'mt-2.5 grid grid-cols-1 gap-x-4 sm:grid-cols-2';

function Checklist({ user, onboarding }: { user: User; onboarding: Onboarding }) {
  const { t } = useTranslation(['home', 'shell']);
  const change = useChangeOnboarding(user);
  const { items } = onboarding;
  const done = items.filter(({ state }) => state === 'done').length;
  const dismiss = () =>
    change.mutate(
      { dismissed: true },
      {
        onError: ({ message }) =>
          toast({
            title: t('shell:error'),
            description: t('checklist.dismissFailed', { message }),
            variant: 'destructive',
          }),
      },
    );
  return (
    <Card className={frame} aria-label={t('checklist.title')}>
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
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          className="-mr-2"
          disabled={change.isPending}
          aria-label={t('checklist.dismiss')}
          onClick={dismiss}
        >
          <X className="icon-sm" aria-hidden="true" />
        </Button>
      </div>
      <ul className={list}>
        {items.map(({ step, state }) => (
          <li key={step} className="flex min-h-8 items-center gap-2 text-caption">
            {state === 'done' ? (
              <>
                <CircleCheck className="icon-sm text-success-text" aria-hidden="true" />
                <span className="text-muted-foreground">
                  <span aria-hidden="true">{t(`checklist.step.${step}`)}</span>
                  <span className="sr-only">
                    {t('checklist.stepDone', { step: t(`checklist.step.${step}`) })}
                  </span>
                </span>
              </>
            ) : (
              <>
                <Circle className="icon-sm text-muted-foreground" aria-hidden="true" />
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

function ChecklistSkeleton() {
  return (
    <Card className={frame}>
      <Loading>
        <div className="flex min-h-10.5 items-start justify-between gap-3">
          <Skeleton className="mt-1 h-4 w-40" />
          <Skeleton className="h-8 w-20" />
        </div>
        <div className={list}>
          {[0, 1, 2, 3, 4].map((row) => (
            <div key={row} className="flex min-h-8 items-center">
              <Skeleton className="h-3.5 w-44" />
            </div>
          ))}
        </div>
      </Loading>
    </Card>
  );
}
