// The tab and field of the first error, and the server's `fields` at their fields.
import type { FieldErrors, FieldPath, UseFormSetError } from 'react-hook-form';
import { ApiError } from '@/api/error';
import { type EditTab, editTabs } from '../edit-tabs';
import type { ProfileForm } from './form';

/** The fields of each tab in display order. */
const fieldsOf: Record<EditTab, readonly (keyof ProfileForm)[]> = {
  basic: [
    'avatarUrl',
    'fullName',
    'location',
    'headline',
    'bio',
    'website',
    'linkedin',
    'school',
    'graduationYear',
    'jurisdictions',
    'interests',
  ],
  experience: ['experiences'],
  education: ['education'],
  skills: ['skills'],
};

export interface Place {
  tab: EditTab;
  field: FieldPath<ProfileForm>;
}

/** The first invalid field in the order of the tabs. */
export function firstError(errors: FieldErrors<ProfileForm>): Place | null {
  for (const tab of editTabs) {
    for (const name of fieldsOf[tab]) {
      const path = pathIn(errors[name]);
      if (path) return { tab, field: [name, ...path].join('.') as FieldPath<ProfileForm> };
    }
  }
  return null;
}

/** The path to the first message; empty if it is at this level. */
function pathIn(error: unknown): string[] | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('message' in error && typeof error.message === 'string') return [];
  for (const [key, inner] of Object.entries(error)) {
    const path = pathIn(inner);
    if (path) return [key, ...path];
  }
  return null;
}

/** Shows the server's errors at their fields (`experiences[0].title`) and returns the tab of the first one. */
export function showServerErrors(error: unknown, setError: UseFormSetError<ProfileForm>): Place | null {
  if (!(error instanceof ApiError)) return null;
  const places = Object.entries(error.fields).flatMap(([name, message]) => {
    const place = placeOf(name);
    if (!place) return [];
    setError(place.field, { type: 'server', message });
    return place;
  });
  return places.toSorted((a, b) => editTabs.indexOf(a.tab) - editTabs.indexOf(b.tab))[0] ?? null;
}

function placeOf(name: string): Place | null {
  const field = name.replaceAll(/\[(\d+)\]/g, '.$1');
  const [root] = field.split('.');
  const tab = editTabs.find((name) => fieldsOf[name].some((known) => known === root));
  if (!tab) return null;
  const ofList = field === 'experiences' || field === 'education';
  return { tab, field: (ofList ? `${field}.root` : field) as FieldPath<ProfileForm> };
}
