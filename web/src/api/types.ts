// Request and response types of the gateway, under the names that the screens use.
import type { components, paths } from './schema.gen';

type Schemas = components['schemas'];

export type Activity = Schemas['Activity'];
export type ApplicationFile = Schemas['ApplicationFile'];
export type ApplicationFileKind = Schemas['ApplicationFileKind'];
export type ApplicationStatus = Schemas['ApplicationStatus'];
export type SentToEmployer = Schemas['SentToEmployer'];
export type ApplicationStep = Schemas['ApplicationStep'];
export type Attendee = Schemas['Attendee'];
export type Author = Schemas['Author'];
export type Block = Schemas['Block'];
export type Comment = Schemas['Comment'];
export type Community = Schemas['Community'];
export type CommunityDetails = Schemas['CommunityDetails'];
export type CommunityMember = Schemas['CommunityMember'];
export type CommunityRole = Schemas['CommunityRole'];
export type Connection = Schemas['Connection'];
export type Conversation = Schemas['Conversation'];
export type ConversationFolder = Schemas['ConversationFolder'];
export type ConversationThread = Schemas['ConversationThread'];
export type Credentials = Schemas['LoginRequest'];
export type Education = Schemas['Education'];
export type Endorsement = Schemas['Endorsement'];
export type Event = Schemas['Event'];
export type EventDetails = Schemas['EventDetails'];
export type Experience = Schemas['Experience'];
export type FeedSort = Schemas['FeedSort'];
export type FoundMessage = Schemas['FoundMessage'];
export type Job = Schemas['Job'];
export type JobApplication = Schemas['JobApplication'];
export type JobApplicationDetails = Schemas['JobApplicationDetails'];
export type JobFilters = Pick<
  NonNullable<paths['/api/jobs']['get']['parameters']['query']>,
  'search' | 'location' | 'practiceArea' | 'experienceLevel' | 'employmentType'
>;
export type JobStats = Schemas['JobStats'];
export type MemberStanding = Schemas['MemberStanding'];
export type ModeratedAppeal = Schemas['ModeratedAppeal'];
export type ModeratedReport = Schemas['ModeratedReport'];
export type ModerationLogEntry = Schemas['ModerationLogEntry'];
export type ModerationStats = Schemas['ModerationStats'];
export type DecisionReason = Schemas['DecisionReason'];
export type Removal = Schemas['Removal'];
export type ReportDetails = Schemas['ReportDetails'];
export type Like = Schemas['Like'];
export type MemberLike = Schemas['MemberLike'];
export type Mention = Schemas['Mention'];
export type Message = Schemas['Message'];
export type MessageReactionKind = Schemas['MessageReactionKind'];
export type MessageReactions = Schemas['MessageReactions'];
export type NewCommunity = Schemas['CreateCommunity'];
export type NewEvent = Schemas['CreateEvent'];
export type NewPost = Schemas['CreatePost'];
export type NewResource = Schemas['SuggestResource'];
export type NewsArticle = Schemas['NewsArticle'];
export type NewsCopy = Schemas['NewsCopy'];
export type NewsPage = Schemas['NewsPage'];
export type NewsSource = Schemas['NewsSource'];
export type Notification = Schemas['Notification'];
export type NotificationKind = Schemas['NotificationKind'];
export type NotificationSettings = Schemas['NotificationSettings'];
export type Onboarding = Schemas['Onboarding'];
export type OnboardingStep = Schemas['OnboardingStep'];
export type OpenSession = Schemas['OpenSession'];
export type Person = Schemas['Person'];
export type Picture = Schemas['Picture'];
export type Post = Schemas['Post'];
export type PostPdf = Schemas['PostPdf'];
export type PostPicture = Schemas['PostImage'];
export type PrivacySettings = Schemas['PrivacySettings'];
export type Problem = Schemas['Problem'];
export type ProfileRecord = Schemas['ProfileRecord'];
export type ProfileStats = Schemas['ProfileStats'];
export type ProfileReplacement = Schemas['ReplaceProfile'];
export type ProfileView = Schemas['ProfileView'];
export type ReactionType = Schemas['ReactionType'];
export type RecoveryCodes = Schemas['RecoveryCodesLeft'];
export type Registration = Schemas['RegisterRequest'];
export type RepliedMessage = Schemas['RepliedMessage'];
export type Report = Schemas['Report'];
export type ReportedKind = Schemas['ReportedKind'];
export type ReportReason = Schemas['ReportReason'];
export type Repost = Schemas['Repost'];
export type ResetMethod = Schemas['ResetMethod'];
export type Resource = Schemas['Resource'];
export type ResourceType = NewResource['type'];
export type SavedId = Schemas['SavedId'];
export type SavedItem = Schemas['SavedItem'];
export type SavedKind = Schemas['SavedKind'];
export type SearchAnswer = Schemas['SearchResults'];
export type SearchKind = Schemas['SearchType'];
export type SkillEndorsements = Schemas['SkillEndorsements'];
export type SourceStatus = Schemas['SourceStatus'];
export type Status = Schemas['Status'];
export type Suggestion = Schemas['Suggestion'];
export type Topics = Schemas['Topics'];
export type Unread = Schemas['Unread'];
export type User = Schemas['User'];
export type UserChanges = Schemas['UpdateUser'];

/** Every route of the gateway, in the form that openapi-fetch reads. */
export type { paths };

/** The member of the session. */
export type Me = Schemas['User'] & { moderator?: boolean };
