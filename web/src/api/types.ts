// The shapes that travel between the client and the gateway, under the names the screens use.
import type { components, paths as served } from './schema.gen';

type Schemas = components['schemas'];

export type Author = Schemas['Author'];
export type Comment = Schemas['Comment'];
export type Community = Schemas['Community'];
export type Connection = Schemas['Connection'];
export type Conversation = Schemas['Conversation'];
export type Credentials = Schemas['LoginRequest'];
export type Education = Schemas['Education'];
export type Event = Schemas['Event'];
export type Experience = Schemas['Experience'];
export type FeedSort = Schemas['FeedSort'];
export type Job = Schemas['Job'];
export type JobApplication = Schemas['JobApplication'];
export type JobFilters = Pick<
  NonNullable<served['/api/jobs']['get']['parameters']['query']>,
  'search' | 'location' | 'practiceArea' | 'experienceLevel' | 'employmentType'
>;
export type JobStats = Schemas['JobStats'];
export type Like = Schemas['Like'];
export type NewsArticle = Schemas['NewsArticle'];
export type NewsPage = Schemas['NewsPage'];
export type NewsSource = Schemas['NewsSource'];
export type Post = Schemas['Post'];
export type Problem = Schemas['Problem'];
export type ProfileRecord = Schemas['ProfileRecord'];
export type ProfileStats = Schemas['ProfileStats'];
export type ProfileView = Schemas['ProfileView'] & {
  /** One entry a skill, in the order of the skills. */
  endorsements?: SkillEndorsements[];
};
export type ReactionType = Schemas['ReactionType'];
export type Registration = Schemas['RegisterRequest'];
export type Resource = Schemas['Resource'];
export type Suggestion = Schemas['Suggestion'];
export type User = Schemas['User'];

export interface Message {
  id: string;
  userId: string;
  conversationId: string;
  content: string;
  createdAt: string;
  isRead: boolean;
}

/** How somebody who forgot their password may prove themselves, best first. */
export type ProofMethod = 'trusted-browser' | 'recovery-code' | 'operator-link';

/** A session as its owner sees it. */
export interface OpenSession {
  id: string;
  /** What the browser says about itself. */
  browser: string;
  address: string;
  createdAt: string;
  lastSeenAt: string;
  /** The one that asks. */
  current: boolean;
}

export interface RecoveryCodes {
  remaining: number;
  /** Null when none were ever made. */
  madeAt: string | null;
}

/** How a skill stands with others. */
export interface SkillEndorsements {
  skill: string;
  count: number;
  endorsedByMe: boolean;
}

/** One member's word for a skill; only the skill's owner is told of hidden ones. */
export interface Endorsement {
  user: Author;
  createdAt: string;
  hidden: boolean;
}

/** One thing a member did: wrote the post, said something under it, or reacted to it. */
export interface Activity {
  type: 'post' | 'comment' | 'reaction';
  at: string;
  post: { id: string; author: Author; excerpt: string };
  comment?: Comment;
  reaction?: ReactionType;
}

/** What `PATCH /api/users/{id}` changes; what is left out stays, an empty text clears. */
export interface UserChanges {
  fullName?: string;
  headline?: string;
  location?: string;
  avatarUrl?: string;
  website?: string;
  linkedin?: string;
}

/** What `PUT /api/users/{id}/profile` puts in place of what was there; an entry without an id is new. */
export interface ProfileReplacement {
  userId: string;
  bio: string;
  experiences: (Omit<Experience, 'id'> & { id?: string })[];
  education: (Omit<Education, 'id'> & { id?: string })[];
  skills: string[];
}

interface Read<Answer, Query = Record<string, never>> {
  parameters: { path: { id: string }; query?: Query };
  responses: { 200: { content: { 'application/json': Answer } } };
}

interface Write<Body, Answer, Path = object> {
  parameters: Path;
  requestBody: { content: { 'application/json': Body } };
  responses: { 200: { content: { 'application/json': Answer } } };
}

interface Silent<Parameters = object> {
  parameters: Parameters;
  responses: { 204: { content?: never } };
}

interface Order<Body> extends Silent {
  requestBody: { content: { 'application/json': Body } };
}

/** Calls of the specification that the gateway does not serve yet; each leaves this list when the snapshot has it. */
interface Coming {
  '/api/auth/login': { post: Write<Credentials, User & { reopened?: boolean }> };
  '/api/auth/check-username': { post: Write<{ username: string }, { methods: ProofMethod[] }> };
  '/api/auth/reset-password': {
    post: Order<{ username: string; password: string; recoveryCode?: string; token?: string }>;
  };
  '/api/auth/change-password': { post: Order<{ currentPassword: string; newPassword: string }> };
  '/api/auth/sessions': {
    get: { responses: { 200: { content: { 'application/json': OpenSession[] } } } };
    delete: Silent;
  };
  '/api/auth/sessions/{id}': { delete: Silent<{ path: { id: string } }> };
  '/api/auth/recovery-codes': {
    get: { responses: { 200: { content: { 'application/json': RecoveryCodes } } } };
    post: Write<{ password?: string }, { codes: string[] }>;
  };
  '/api/auth/close-account': { post: Order<{ confirmation: string; password?: string }> };
  '/api/connections': Omit<served['/api/connections'], 'post'> & {
    post: Write<{ requesterId: string; recipientId: string; status: 'pending' }, Connection>;
  };
  '/api/connections/{id}': {
    patch: Write<{ status: 'accepted' | 'rejected' }, Connection, { path: { id: string } }>;
  };
  '/api/conversations/{id}': { get: Read<Message[]> };
  '/api/users/{id}': { patch: Write<UserChanges, User, { path: { id: string } }> };
  '/api/users/{id}/profile': {
    get: Read<ProfileView>;
    put: Write<ProfileReplacement, ProfileView, { path: { id: string } }>;
  };
  '/api/users/{id}/activity': { get: Read<Activity[]> };
  '/api/users/{id}/endorsements': {
    get: Read<Endorsement[], { skill: string }>;
    post: Write<{ skill: string }, SkillEndorsements, { path: { id: string } }>;
    patch: Write<
      { skill: string; endorserId: string; hidden: boolean },
      SkillEndorsements,
      { path: { id: string } }
    >;
    delete: {
      parameters: { path: { id: string }; query: { skill: string } };
      responses: { 200: { content: { 'application/json': SkillEndorsements } } };
    };
  };
}

/** Every route the client calls, in the form openapi-fetch reads. */
export type paths = Omit<served, keyof Coming> & Coming;
