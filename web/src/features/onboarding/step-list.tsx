// The steps of the onboarding with their states; each can be opened.
import { Circle, CircleCheck, CircleSlash } from 'lucide-react';
import { Link } from 'react-router';
import type { Onboarding, OnboardingStep } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';

const icons = { open: Circle, skipped: CircleSlash, done: CircleCheck } as const;

export function StepList({ items, current }: { items: Onboarding['items']; current: OnboardingStep | null }) {
  const { t } = useTranslation('welcome');
  return (
    <nav aria-label={t('steps')} className="card p-2">
      <ol>
        {items.map(({ step, state }) => {
          const Icon = icons[state];
          return (
            <li key={step}>
              <Link
                to={paths.welcome(step)}
                aria-current={step === current ? 'step' : undefined}
                className="flex min-h-10 items-center gap-2.5 rounded-md px-3 py-2 text-ui font-medium -outline-offset-2 hover:bg-hover aria-[current=step]:bg-selected"
              >
                <Icon
                  className={`icon-sm ${state === 'done' ? 'text-success-text' : 'text-muted-foreground'}`}
                />
                <span className="min-w-0 flex-1">{t(`step.${step}`)}</span>
                <span className={state === 'open' ? 'sr-only' : 'text-micro text-muted-foreground'}>
                  {t(`state.${state}`)}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
