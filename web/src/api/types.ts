// The shapes that travel between the client and the gateway, under the names the screens use.
import type { components, paths as served } from './schema.gen';

type Schemas = components['schemas'];

export type Activity = Schemas['Activity'];
export type Attendee = Schemas['Attendee'];
export type Author = Schemas['Author'];
export type Block = Schemas['Block'];
export type Comment = Schemas['Comment'];
export type Connection = Schemas['Connection'];
export type Conversation = Schemas['Conversation'];
export type Credentials = Schemas['LoginRequest'];
export type Education = Schemas['Education'];
export type Endorsement = Schemas['Endorsement'];
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
export type OpenSession = Schemas['OpenSession'];
export type Problem = Schemas['Problem'];
export type ProfileRecord = Schemas['ProfileRecord'];
export type ProfileStats = Schemas['ProfileStats'];
export type ProfileReplacement = Schemas['ReplaceProfile'];
export type ProfileView = Schemas['ProfileView'];
export type ReactionType = Schemas['ReactionType'];
export type RecoveryCodes = Schemas['RecoveryCodesLeft'];
export type Registration = Schemas['RegisterRequest'];
export type ResetMethod = Schemas['ResetMethod'];
export type Resource = Schemas['Resource'];
export type SkillEndorsements = Schemas['SkillEndorsements'];
export type Suggestion = Schemas['Suggestion'];
export type User = Schemas['User'];
export type UserChanges = Schemas['UpdateUser'];

export interface Message {
  id: string;
  userId: string;
  conversationId: string;
  content: string;
  createdAt: string;
  isRead: boolean;
}

export type CommunityRole = 'owner' | 'member';

export interface Community {
  id: string;
  name: string;
  description: string | null;
  memberCount: number;
  /** What the asker is in it. */
  role: CommunityRole | null;
  createdAt: string;
}

export interface CommunityDetails extends Community {
  rules: string | null;
}

export interface CommunityMember {
  user: Author;
  role: CommunityRole;
  joinedAt: string;
}

export interface NewCommunity {
  name: string;
  description?: string;
  rules?: string;
}

export interface Event {
  id: string;
  title: string;
  location: string | null;
  startDate: string;
  endDate: string;
  /** An IANA name. */
  timeZone: string;
  attendeeCount: number;
  attendees: Attendee[];
  /** The asker comes. */
  attending: boolean;
  organiser: Author | null;
}

export interface EventDetails extends Event {
  description: string | null;
}

export interface NewEvent {
  title: string;
  description?: string;
  location?: string;
  startDate: string;
  endDate: string;
  timeZone: string;
}

export interface Post extends Omit<Schemas['Post'], never> {
  /** Where it was published; null for a post to everybody. */
  community: { id: string; name: string } | null;
}

interface Json<Body> {
  content: { 'application/json': Body };
}

type Route<Path, Answer, Body = undefined> = {
  parameters: { header?: { 'Idempotency-Key'?: string } } & ([Path] extends [never]
    ? unknown
    : { path: Path });
  responses: { 200: Json<Answer> };
} & ([Body] extends [undefined] ? unknown : { requestBody: Json<Body> });

type Id = { id: string };

interface Read<Answer> {
  parameters: { path: { id: string } };
  responses: { 200: { content: { 'application/json': Answer } } };
}

/** Calls of the specification that the gateway does not serve yet; each leaves this list when the snapshot has it. */
interface Coming {
  '/api/posts': {
    get: {
      parameters: { query?: { sort?: FeedSort; userId?: string; communityId?: string } };
      responses: { 200: Json<Post[]> };
    };
    post: Route<never, Post, { userId: string; content: string; communityId?: string }>;
  };
  '/api/posts/{id}': Omit<served['/api/posts/{id}'], 'get'> & { get: Read<Post> };
  '/api/communities': {
    get: { responses: { 200: Json<Community[]> } };
    post: Route<never, CommunityDetails, NewCommunity>;
  };
  '/api/communities/{id}': {
    get: Read<CommunityDetails>;
    patch: Route<Id, CommunityDetails, Partial<NewCommunity>>;
  };
  '/api/communities/{id}/members': { get: Read<CommunityMember[]> };
  '/api/communities/{id}/members/{memberId}': {
    patch: Route<Id & { memberId: string }, CommunityMember, { role: CommunityRole }>;
  };
  '/api/communities/{id}/membership': {
    put: Route<Id, CommunityDetails>;
    delete: Route<Id, CommunityDetails>;
  };
  '/api/events': { get: { responses: { 200: Json<Event[]> } }; post: Route<never, EventDetails, NewEvent> };
  '/api/events/{id}': {
    get: Read<EventDetails>;
    patch: Route<Id, EventDetails, Partial<NewEvent>>;
    delete: Route<Id, undefined>;
  };
  '/api/events/{id}/attendance': { put: Route<Id, EventDetails>; delete: Route<Id, EventDetails> };
  '/api/events/{id}/attendees': { get: Read<Attendee[]> };
  '/api/conversations/{id}': { get: Read<Message[]> };
}

/** Every route the client calls, in the form openapi-fetch reads. */
export type paths = Omit<served, keyof Coming> & Coming;
