// The onboarding of a new member. The member can skip each of the five steps; the server keeps the progress.
import { CircleCheck } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Onboarding, OnboardingStep, User } from '@/api/schema.gen';
import { CommunitiesStep, PeopleStep } from '@/features/onboarding/list-steps';
import { InterestsStep, SchoolStep, type StepProps, YearStep } from '@/features/onboarding/profile-steps';
import { StepList } from '@/features/onboarding/step-list';
import { nextOpenStep, useChangeOnboarding, useOnboarding } from '@/features/onboarding/use-onboarding';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { buttonClass } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PageSpinner } from '@/ui/spinner';
import { showError } from '@/ui/toast';

const steps: Record<OnboardingStep, ComponentType<StepProps>> = {
  school: SchoolStep,
  'graduation-year': YearStep,
  interests: InterestsStep,
  people: PeopleStep,
  communities: CommunitiesStep,
};

export function Component() {
  const { t } = useTranslation('welcome');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Page>
      <PageMeta page="welcome" />
      <PageHeading title={t('title', { name: user.fullName })} lead={t('lead')} />
      <Steps user={user} />
    </Page>
  );
}

function Steps({ user }: { user: User }) {
  const { onboarding, isPending } = useOnboarding(user);
  if (isPending) return <PageSpinner />;
  // A member from before the onboarding, or a failed profile: nothing is to be done.
  return onboarding ? <Guide user={user} onboarding={onboarding} /> : <Finished user={user} />;
}

function Guide({ user, onboarding }: { user: User; onboarding: Onboarding }) {
  const { t } = useTranslation('welcome');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const change = useChangeOnboarding(user);
  const wanted = onboarding.items.find(({ step }) => step === search.get('step'))?.step;
  const current = wanted ?? nextOpenStep(onboarding);
  const Step = current && steps[current];

  const answer = (step: OnboardingStep, state: 'done' | 'skipped') =>
    change.mutate(
      { step, state },
      {
        onSuccess: (changed) => {
          const next = nextOpenStep(changed, step);
          void navigate(next ? paths.welcome(next) : paths.home);
        },
        onError: ({ message }) => showError(t('saveFailed', { message })),
      },
    );
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-6">
      <StepList items={onboarding.items} current={current} />
      {current && Step ? (
        <Step
          key={current}
          user={user}
          onDone={() => answer(current, 'done')}
          onSkip={() => answer(current, 'skipped')}
        />
      ) : (
        <Finished user={user} />
      )}
    </div>
  );
}

function Finished({ user }: { user: User }) {
  const { t } = useTranslation('welcome');
  return (
    <EmptyCard
      icon={CircleCheck}
      title={t('doneTitle')}
      hint={t('doneText')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to={paths.profile(user.id)} className={buttonClass({ variant: 'outline' })}>
            {t('profile')}
          </Link>
          <Link to={paths.home} className={buttonClass()}>
            {t('home')}
          </Link>
        </div>
      }
    />
  );
}
