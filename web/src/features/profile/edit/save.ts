// Saves a profile: the member first, then the profile record, with the bodies of the specification (section 7).
import { api, read } from '@/api/client';
import type { ProfileView, ReplaceProfile, UpdateUser, User } from '@/api/schema.gen';
import type { ProfileForm } from './form';

/** The request that was refused; `cause` is its error. */
export class SaveError extends Error {
  override readonly name = 'SaveError';
  readonly part: 'user' | 'profile';

  constructor(part: 'user' | 'profile', cause: unknown) {
    super(`the ${part} was not saved`, { cause });
    this.part = part;
  }
}

/** Whether two lists have the same codes in any order. */
function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((code) => other.includes(code));
}

/** `user` is the cached member: the fields that the specification's body lacks are sent only if changed. */
export async function saveUser(user: User, form: ProfileForm): Promise<User> {
  const { fullName, headline, location, website, linkedin, avatarUrl, school, graduationYear } = form;
  const { jurisdictions, interests } = form;
  const body: UpdateUser = {
    fullName,
    headline,
    location,
    avatarUrl,
    ...(website !== (user.website ?? '') && { website }),
    ...(linkedin !== (user.linkedin ?? '') && { linkedin }),
    ...(school !== (user.school ?? '') && { school }),
    ...(graduationYear !== (user.graduationYear ?? '') && { graduationYear }),
    ...(!areSame(jurisdictions, user.jurisdictions ?? []) && { jurisdictions }),
    ...(!areSame(interests, user.interests ?? []) && { interests }),
  };
  try {
    return await read(api.PATCH('/api/users/{id}', { params: { path: { id: user.id } }, body }));
  } catch (error) {
    throw new SaveError('user', error);
  }
}

export async function saveProfile(userId: string, form: ProfileForm): Promise<ProfileView> {
  const body: ReplaceProfile = {
    userId,
    bio: form.bio,
    experiences: form.experiences.map((entry) => ({
      ...entry,
      location: entry.location || null,
      endDate: entry.isCurrentPosition ? null : entry.endDate || null,
      description: entry.description || null,
    })),
    education: form.education.map((entry) => ({
      ...entry,
      fieldOfStudy: entry.fieldOfStudy || null,
      endDate: entry.endDate || null,
      description: entry.description || null,
    })),
    skills: form.skills,
  };
  try {
    return await read(api.PUT('/api/users/{id}/profile', { params: { path: { id: userId } }, body }));
  } catch (error) {
    throw new SaveError('profile', error);
  }
}
