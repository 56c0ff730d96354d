// The checklist of a new member on the home screen, until its steps are done or it is dismissed.
import { useEffect, useState } from 'react';
import type { User } from '@/api/schema.gen';
import { readDevice, writeDevice } from '@/session/device-store';
import { Card } from '@/ui/card';
import { lazy } from '@/ui/lazy';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { checklistFrame, checklistSteps } from './checklist-shape';
import { isDone, useOnboarding } from './use-onboarding';

const Checklist = lazy(async () => (await import('./checklist')).Checklist);

/** A new member has the card from the first paint, so that the posts below it do not move. Needs the texts of `home`. */
export function ChecklistCard({ user }: { user: User }) {
  const [remembered] = useState(() => rememberedChecklist(user.id) ?? (isNew(user) ? 'open' : 'done'));
  const { onboarding, data, isPending } = useOnboarding(user);
  const isOpen = onboarding ? !onboarding.dismissed && !isDone(onboarding) : false;
  useEffect(() => {
    // A failed answer says nothing about the checklist.
    if (data) rememberChecklist(user.id, isOpen ? 'open' : 'done');
  }, [data, isOpen, user.id]);

  if (onboarding && isOpen)
    return <Checklist user={user} onboarding={onboarding} fallback={<ChecklistSkeleton />} />;
  return isPending && remembered === 'open' ? <ChecklistSkeleton /> : null;
}

/** Registered today, with tolerance for a wrong clock. */
function isNew({ createdAt }: User): boolean {
  return Math.abs(Date.now() - Date.parse(createdAt)) < 86_400_000;
}

function ChecklistSkeleton() {
  return (
    <Card className={checklistFrame}>
      <Loading>
        <Bars
          className="flex min-h-10.5 items-start justify-between gap-3"
          of={['mt-1 h-4 w-40', 'h-8 w-20']}
        />
        <div className={checklistSteps}>
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

const keyOf = (memberId: string) => `portia-checklist:${memberId}`;

/** The stored state of the checklist: the home screen shows it at its first paint or not at all. */
function rememberedChecklist(memberId: string): 'open' | 'done' | null {
  const value = readDevice(keyOf(memberId));
  return value === 'open' || value === 'done' ? value : null;
}

const rememberChecklist = (memberId: string, checklist: 'open' | 'done'): void =>
  writeDevice(keyOf(memberId), checklist);
