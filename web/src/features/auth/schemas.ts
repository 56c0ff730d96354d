// What the two forms of /auth accept, with the specification's texts as keys (section 5).
import * as z from 'zod/mini';

const username = z.string().check(z.trim(), z.minLength(3, 'auth:invalid.username'));
const password = z.string().check(z.minLength(6, 'auth:invalid.password'));

export const loginSchema = z.object({ username, password, sharedComputer: z.boolean() });

export const registerSchema = z.object({
  username,
  password,
  fullName: z.string().check(z.trim(), z.minLength(2, 'auth:invalid.fullName')),
  headline: z.string().check(z.trim()),
  location: z.string().check(z.trim()),
  school: z.string().check(z.trim()),
  graduationYear: z.string().check(z.trim()),
});

export type LoginForm = z.infer<typeof loginSchema>;
export type RegisterForm = z.infer<typeof registerSchema>;
