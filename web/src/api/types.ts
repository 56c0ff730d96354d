// The shapes that travel between the client and the gateway, under the names the screens use.

/** A member as every answer carries one; absent values are null and lists are []. */
export interface User {
  id: string;
  username: string;
  fullName: string;
  headline: string | null;
  location: string | null;
  bio: string | null;
  avatarUrl: string | null;
  website: string | null;
  linkedin: string | null;
  school: string | null;
  graduationYear: string | null;
  createdAt: string;
  experiences: Experience[];
  education: Education[];
  skills: string[];
}

/** The few facts about a member that lists carry. */
export interface Author {
  id: string;
  fullName: string;
  headline: string | null;
  avatarUrl: string | null;
}

export interface Experience {
  id?: string;
  title: string;
  company: string;
  startDate: string;
  endDate: string | null;
  isCurrentPosition: boolean;
  description: string | null;
  location: string | null;
}

export interface Education {
  id?: string;
  institution: string;
  degree: string;
  fieldOfStudy: string | null;
  startDate: string;
  endDate: string | null;
  description: string | null;
}

export interface ProfileRecord {
  userId: string;
  bio: string | null;
  experiences: Experience[];
  education: Education[];
  skills: string[];
}

export interface ProfileStats {
  profileViews: number;
  postImpressions: number;
  connections: number;
}

export interface ProfileView {
  user: User;
  profile: ProfileRecord;
  stats?: ProfileStats;
}

export type ReactionType = 'like' | 'celebrate' | 'support' | 'insightful' | 'thanks';

export interface Like {
  userId: string;
  type: ReactionType;
}

export interface Comment {
  id: string;
  content: string;
  createdAt: string;
  user: Author;
}

export interface Post {
  id: string;
  content: string;
  imageUrl: string | null;
  createdAt: string;
  user: Author;
  likes: Like[];
  likeCount: number;
  commentCount: number;
  comments: Comment[];
}

export type FeedSort = 'relevant' | 'recent' | 'top';

export interface Community {
  id: string;
  name: string;
  memberCount: number;
}

export interface Event {
  id: string;
  title: string;
  location: string | null;
  startDate: string;
  attendeeCount: number;
  attendees: { id: string; user: Author }[];
}

export interface Resource {
  id: string;
  title: string;
  description: string;
  url: string | null;
  type: string;
}

export interface Job {
  id: string;
  title: string;
  company: string;
  location: string;
  description: string;
  employmentType: string;
  experienceLevel: string;
  practiceArea: string | null;
  salary: string | null;
  source: string;
  applicationDeadline: string | null;
  externalUrl: string | null;
}

export interface JobStats {
  totalJobs: number;
  internships: number;
  entryLevel: number;
  fullTime: number;
}

export interface JobFilters {
  search?: string;
  location?: string;
  practiceArea?: string;
  experienceLevel?: string;
  employmentType?: string;
}

export interface JobApplication {
  id: string;
  jobId: string;
  job: Job;
  applicationDate: string;
  notes: string | null;
  status: string;
}

export interface Conversation {
  id: string;
  otherUser: Author;
  lastMessage: string | null;
  lastMessageAt: string | null;
  unreadCount: number;
}

export interface Message {
  id: string;
  userId: string;
  conversationId: string;
  content: string;
  createdAt: string;
  isRead: boolean;
}

export interface NewsArticle {
  id: string;
  title: string;
  description: string | null;
  author: string | null;
  url: string;
  source: string;
  sourceName: string;
  publishedAt: string | null;
}

export interface NewsPage {
  articles: NewsArticle[];
  pagination: { page: number; hasMore: boolean };
}

export interface NewsSource {
  source: string;
  sourceName: string;
}

export interface Suggestion extends Author {
  mutualConnections: number;
}

export interface Connection {
  id: string;
  requesterId: string;
  recipientId: string;
  status: 'pending' | 'accepted' | 'rejected';
  connectedUser?: Author;
  user?: Author;
}

/** application/problem+json as every error answers: one sentence for people, the rest for the screen. */
export interface Problem {
  error: string;
  code?: string;
  fields?: Record<string, string>;
  requestId?: string;
}

export interface Credentials {
  username: string;
  password: string;
  /** Sent only when ticked: no trusted-browser cookie is made. */
  sharedComputer?: true;
}

export interface Registration {
  username: string;
  password: string;
  fullName: string;
  headline?: string;
  location?: string;
  school?: string;
  graduationYear?: string;
}

interface Read<Answer, Parameters = object> {
  parameters: Parameters;
  responses: { 200: { content: { 'application/json': Answer } } };
}

interface Write<Body, Answer, Parameters = object> extends Read<Answer, Parameters> {
  requestBody: { content: { 'application/json': Body } };
}

interface ById {
  path: { id: string };
}

/** Every route the client calls, in the form openapi-fetch reads. */
export interface paths {
  '/api/auth/me': { get: Read<User> };
  '/api/auth/login': { post: Write<Credentials, User> };
  '/api/auth/register': { post: Write<Registration, User> };
  '/api/auth/logout': { post: Write<Record<string, never>, undefined> };
  '/api/posts': {
    get: Read<Post[], { query?: { sort?: FeedSort; userId?: string; pageToken?: string } }>;
    post: Write<{ userId: string; content: string }, Post>;
  };
  '/api/posts/{id}': { get: Read<Post, ById> };
  '/api/posts/{id}/likes': {
    post: Write<{ userId: string; type: ReactionType }, Like, ById>;
    delete: Read<undefined, ById>;
  };
  '/api/posts/{id}/comments': {
    get: Read<Comment[], ById>;
    post: Write<{ userId: string; content: string }, Comment, ById>;
  };
  '/api/communities': { get: Read<Community[]> };
  '/api/events': { get: Read<Event[]> };
  '/api/resources': { get: Read<Resource[]> };
  '/api/users/{id}/profile': { get: Read<ProfileView, ById> };
  '/api/users/{id}/suggestions': { get: Read<Suggestion[], ById> };
  '/api/users/{id}/connections': { get: Read<Connection[], ById> };
  '/api/connections': {
    get: Read<Connection[], { query: { requesterId?: string; recipientId: string; status?: 'pending' } }>;
    post: Write<{ requesterId: string; recipientId: string; status: 'pending' }, Connection>;
  };
  '/api/connections/{id}': { patch: Write<{ status: 'accepted' | 'rejected' }, Connection, ById> };
  '/api/jobs': { get: Read<Job[], { query?: JobFilters }> };
  '/api/jobs/stats/overview': { get: Read<JobStats> };
  '/api/jobs/applications/my': { get: Read<JobApplication[]> };
  '/api/jobs/{id}/apply': { post: Write<{ notes: string }, JobApplication, ById> };
  '/api/jobs/refresh': { post: Read<{ newJobs: number }> };
  '/api/conversations': { get: Read<Conversation[]> };
  '/api/conversations/{id}': { get: Read<Message[], ById> };
  '/api/conversations/{id}/messages': {
    post: Write<{ userId: string; conversationId: string; content: string }, Message, ById>;
  };
  '/api/news': { get: Read<NewsPage, { query?: { page?: number; source?: string; search?: string } }> };
  '/api/news/sources/list': { get: Read<NewsSource[]> };
}
