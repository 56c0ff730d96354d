// The Edit Profile form: schema with the specification's texts as keys (section 5), and initial values.
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';
import type { ProfileView } from '@/api/schema.gen';
import { atMost } from '@/i18n/form-texts';
import { webAddress } from '@/web-address';
import { graduationYears, isGraduationYear } from '../graduation-year';

const { UpdateUser: card, ReplaceProfile: lists, ExperienceEntry: position, EducationEntry: course } = limits;

export const skillsAtMost = lists.skills.max;
export const skillLength = lists.skills.maxEach;

const text = (maximum: number) => z.string().check(z.trim(), atMost(maximum));
const required = (maximum: number, sentence: string) =>
  z.string().check(z.trim(), z.minLength(1, sentence), atMost(maximum));

const link = z.string().check(
  z.trim(),
  z.refine((value) => value === '' || webAddress(value) !== null, { error: 'profile:invalid.link' }),
);

/** YYYY-MM; a browser without a month field accepts any text. */
const monthForm = /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/;
const isMonth = z.refine<string>((value) => value === '' || monthForm.test(value), {
  error: 'profile:invalid.month',
});
const startDate = z.string().check(z.trim(), z.minLength(1, 'profile:invalid.startDate'), isMonth);
const endDate = z.string().check(z.trim(), isMonth);
const endsLater = { error: 'profile:invalid.endDate', path: ['endDate'] };
const inOrder = (from: string, to: string) => !from || !to || to >= from;

const experience = z
  .object({
    id: z.optional(z.string()),
    title: required(position.title.max, 'profile:invalid.title'),
    company: required(position.company.max, 'profile:invalid.company'),
    location: text(position.location.max),
    startDate,
    // Ignored for a current position, which neither shows nor sends it.
    endDate: z.string(),
    isCurrentPosition: z.boolean(),
    description: text(position.description.max),
  })
  .check(
    z.refine((entry) => entry.isCurrentPosition || endDate.safeParse(entry.endDate).success, {
      error: 'profile:invalid.month',
      path: ['endDate'],
    }),
    z.refine((entry) => entry.isCurrentPosition || inOrder(entry.startDate, entry.endDate), endsLater),
  );

const study = z
  .object({
    id: z.optional(z.string()),
    institution: required(course.institution.max, 'profile:invalid.institution'),
    degree: required(course.degree.max, 'profile:invalid.degree'),
    fieldOfStudy: text(course.fieldOfStudy.max),
    startDate,
    endDate,
    description: text(course.description.max),
  })
  .check(z.refine((entry) => inOrder(entry.startDate, entry.endDate), endsLater));

export const profileSchema = z.object({
  /** The address of the current picture, a data URL of a new one, or empty. */
  avatarUrl: z.string(),
  fullName: z
    .string()
    .check(z.trim(), z.minLength(card.fullName.min, 'profile:invalid.fullName'), atMost(card.fullName.max)),
  headline: text(card.headline.max),
  location: text(card.location.max),
  bio: text(lists.bio.max),
  website: link,
  linkedin: link,
  school: text(card.school.max),
  graduationYear: z.string().check(z.trim()),
  jurisdictions: z.array(z.string()),
  interests: z.array(z.string()),
  experiences: z.array(experience).check(z.maxLength(lists.experiences.max)),
  education: z.array(study).check(z.maxLength(lists.education.max)),
  skills: z.array(z.string()),
});

/** The schema for a member: a year from the registration can be any text, and stays valid while it is unchanged. */
export function profileSchemaFor({ user }: ProfileView) {
  const { first, last } = graduationYears();
  const values = JSON.stringify({ first: String(first), last: String(last) });
  return profileSchema.check(
    z.refine(({ graduationYear: year }) => year === (user.graduationYear ?? '') || isGraduationYear(year), {
      error: `focus:year ${values}`,
      path: ['graduationYear'],
    }),
  );
}

export type ProfileForm = z.infer<typeof profileSchema>;
export type ExperienceForm = ProfileForm['experiences'][number];
export type StudyForm = ProfileForm['education'][number];

export const newExperience: ExperienceForm = {
  title: '',
  company: '',
  location: '',
  startDate: '',
  endDate: '',
  isCurrentPosition: false,
  description: '',
};

export const newStudy: StudyForm = {
  institution: '',
  degree: '',
  fieldOfStudy: '',
  startDate: '',
  endDate: '',
  description: '',
};

/** The profile with empty texts for absent fields. */
export function formOf({ user, profile }: ProfileView): ProfileForm {
  return {
    avatarUrl: user.avatarUrl ?? '',
    fullName: user.fullName,
    headline: user.headline ?? '',
    location: user.location ?? '',
    bio: profile.bio ?? '',
    website: user.website ?? '',
    linkedin: user.linkedin ?? '',
    school: user.school ?? '',
    graduationYear: user.graduationYear ?? '',
    // A response may lack these.
    jurisdictions: user.jurisdictions ?? [],
    interests: user.interests ?? [],
    experiences: profile.experiences.map((entry) => ({
      ...entry,
      location: entry.location ?? '',
      endDate: entry.endDate ?? '',
      description: entry.description ?? '',
    })),
    education: profile.education.map((entry) => ({
      ...entry,
      fieldOfStudy: entry.fieldOfStudy ?? '',
      endDate: entry.endDate ?? '',
      description: entry.description ?? '',
    })),
    skills: profile.skills,
  };
}

/** Adds a skill unless it is empty or a duplicate, regardless of case. */
export function withSkill(skills: string[], typed: string): string[] {
  const skill = typed.trim();
  const known = skills.some((other) => other.toLowerCase() === skill.toLowerCase());
  return !skill || known ? skills : [...skills, skill];
}
