// Schemas of the login, registration and password forms, with the specification's texts as keys (section 5).
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';

const limit = limits.RegisterRequest;
const username = z.string().check(z.trim(), z.minLength(limit.username.min, 'auth:invalid.username'));
const password = z.string().check(z.minLength(limit.password.min, 'auth:invalid.password'));

export const loginSchema = z.object({
  username,
  password,
  sharedComputer: z.boolean(),
  oneTimeCode: z.string().check(z.trim()),
});

export const registerSchema = z.object({
  username,
  password,
  fullName: z.string().check(z.trim(), z.minLength(limit.fullName.min, 'auth:invalid.fullName')),
  headline: z.string().check(z.trim()),
  location: z.string().check(z.trim()),
  school: z.string().check(z.trim()),
  graduationYear: z.string().check(z.trim()),
});

/** A new password, typed twice; the schema also needs `sameTwice`. */
export const newPasswordFields = { password, confirmation: z.string() };

export const sameTwice = z.refine<{ password: string; confirmation: string }>(
  ({ password, confirmation }) => password === confirmation,
  { path: ['confirmation'], error: 'auth:invalid.confirmation' },
);

export const resetNameSchema = z.object({
  username: z.string().check(z.trim(), z.minLength(1, 'auth:invalid.usernameMissing')),
});

export const resetPasswordSchema = z
  .object({
    ...newPasswordFields,
    recoveryCode: z.string().check(z.trim()),
    oneTimeCode: z.string().check(z.trim()),
  })
  .check(sameTwice);

export type LoginForm = z.infer<typeof loginSchema>;
export type RegisterForm = z.infer<typeof registerSchema>;
export type ResetNameForm = z.infer<typeof resetNameSchema>;
export type ResetPasswordForm = z.infer<typeof resetPasswordSchema>;
