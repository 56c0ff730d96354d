// The shapes that travel between the client and the gateway, under the names the screens use.
import type { components, paths as served } from './schema.gen';

type Schemas = components['schemas'];

export type Activity = Schemas['Activity'];
export type Attendee = Schemas['Attendee'];
export type Author = Schemas['Author'];
export type Block = Schemas['Block'];
export type Comment = Schemas['Comment'];
export type Community = Schemas['Community'];
export type CommunityDetails = Schemas['CommunityDetails'];
export type CommunityMember = Schemas['CommunityMember'];
export type CommunityRole = Schemas['CommunityRole'];
export type Connection = Schemas['Connection'];
export type Credentials = Schemas['LoginRequest'];
export type Education = Schemas['Education'];
export type Endorsement = Schemas['Endorsement'];
export type Event = Schemas['Event'];
export type EventDetails = Schemas['EventDetails'];
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
export type NewCommunity = Schemas['CreateCommunity'];
export type NewEvent = Schemas['CreateEvent'];
export type NewsArticle = Schemas['NewsArticle'];
export type NewsPage = Schemas['NewsPage'];
export type NewsSource = Schemas['NewsSource'];
export type Notification = Schemas['Notification'];
export type NotificationKind = Schemas['NotificationKind'];
export type NotificationSettings = Schemas['NotificationSettings'];
export type OpenSession = Schemas['OpenSession'];
export type Post = Schemas['Post'];
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

export type ConversationFolder = 'inbox' | 'requests';

/** A conversation as its participant sees it. */
export interface Conversation {
  id: string;
  /** `id` is null once the account is gone. */
  otherUser: { id: string | null; fullName: string; headline: string | null; avatarUrl: string | null };
  lastMessage: string | null;
  lastMessageAt: string | null;
  unreadCount: number;
  folder: ConversationFolder;
  /** The member has opened it, and the other has not taken it yet. */
  waiting: boolean;
}

/** A conversation with a page of its messages, oldest first. */
export interface ConversationThread extends Conversation {
  messages: Message[];
}

/** Something said. */
export interface Message {
  id: string;
  /** Null once the account is gone. */
  userId: string | null;
  conversationId: string;
  content: string;
  createdAt: string;
  isRead: boolean;
}

interface Answered<Answer> {
  200: { content: { 'application/json': Answer } };
}

interface OfOne {
  path: { id: string };
}

interface NoAnswer {
  204: { content?: never };
}

interface Body<Sent> {
  content: { 'application/json': Sent };
}

/** Calls of the specification that the gateway does not serve yet; each leaves this list when the snapshot has it. */
interface Coming {
  '/api/conversations': {
    get: {
      parameters: { query?: { folder?: ConversationFolder; search?: string } };
      responses: Answered<Conversation[]>;
    };
    post: { requestBody: Body<{ userId: string }>; responses: Answered<Conversation> };
  };
  '/api/conversations/{id}': {
    get: { parameters: OfOne; responses: Answered<ConversationThread> };
    delete: { parameters: OfOne; responses: NoAnswer };
  };
  '/api/conversations/{id}/messages': {
    post: {
      parameters: OfOne & { header?: { 'Idempotency-Key'?: string } };
      requestBody: Body<{ userId: string; conversationId: string; content: string }>;
      responses: Answered<Message>;
    };
  };
  '/api/conversations/{id}/read': {
    post: { parameters: OfOne; requestBody: Body<{ upTo: string }>; responses: NoAnswer };
  };
  '/api/conversations/{id}/typing': {
    post: { parameters: OfOne; requestBody: Body<Record<string, never>>; responses: NoAnswer };
  };
  '/api/conversations/{id}/accept': { post: { parameters: OfOne; responses: Answered<Conversation> } };
}

/** Every route the client calls, in the form openapi-fetch reads. */
export type paths = Omit<served, keyof Coming> & Coming;
