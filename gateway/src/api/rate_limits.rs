//! The rate limits of the API, one line each. `PORTIA_RATE_LIMIT_SCALE` multiplies them.

use crate::edge::limits::Bucket;

/// Attempts to sign in that do not succeed, by network. Trusted browsers are exempt.
pub const SIGN_IN: Bucket = Bucket::per_minute("sign-in", 10);
/// Failed attempts to sign in, by username and network. Trusted browsers are exempt.
pub const SIGN_IN_FROM: Bucket = Bucket::per_hour("sign-in-from", 20);
/// Failed attempts to sign in, by username over all networks: beyond it an attempt needs a proof of work. Trusted browsers are exempt.
pub const SIGN_IN_TO: Bucket = Bucket::per_hour("sign-in-to", 1_000);
/// Failed attempts to sign in with a proof of work, by network.
pub const PROVED_SIGN_INS: Bucket = Bucket::per_hour("proved-sign-ins", 20);
/// Failed attempts to sign in with a proof of work, by username and network: bounds a distributed guess.
pub const PROVED_SIGN_INS_FROM: Bucket = Bucket::per_hour("proved-sign-ins-from", 5);
/// Failed attempts to sign in with a proof of work, by username over all networks: beyond it the work is four times as much.
pub const PROVED_SIGN_INS_TO: Bucket = Bucket::per_hour("proved-sign-ins-to", 100);
/// The same: beyond it the work is sixteen times as much.
pub const MANY_PROVED_SIGN_INS_TO: Bucket = Bucket::per_hour("many-proved-sign-ins-to", 1_000);
/// Failed attempts to sign in of a trusted browser beyond the limits above, by username and browser.
pub const SIGN_IN_TRUSTED: Bucket = Bucket::per_hour("sign-in-trusted", 20);
/// Failed attempts of a signed-in member to prove again, by member and network.
pub const PASSWORD_CHECKS_FROM: Bucket = Bucket::per_hour("password-checks-from", 20);
/// Failed attempts of a signed-in member to prove again, by member: beyond it an attempt needs a proof of work.
pub const PASSWORD_CHECKS: Bucket = Bucket::per_hour("password-checks", 100);
/// The same with a proof of work, by member and network.
pub const PROVED_PASSWORD_CHECKS_FROM: Bucket = Bucket::per_hour("proved-password-checks-from", 5);
/// Registrations without a proof of work, by network.
pub const REGISTRATION: Bucket = Bucket::per_hour("registration", 60);
/// The same in a day: a class may register at once, but no network all day.
pub const REGISTRATIONS_OF_DAY: Bucket = Bucket::per_day("registrations-of-day", 200);
/// Registrations with a proof of work, by network: far above what people need, below what the services bear.
pub const PROVED_REGISTRATIONS: Bucket = Bucket::per_hour("proved-registrations", 600);
/// The same in a day.
pub const PROVED_REGISTRATIONS_OF_DAY: Bucket = Bucket::per_day("proved-registrations-of-day", 2_000);
/// Requests for the recovery methods of an account, by address.
pub const CHECK_USERNAME: Bucket = Bucket::per_minute("check-username", 10);
/// Requests for advice on a password that is being typed, by address.
pub const CHECK_PASSWORD: Bucket = Bucket::per_minute("check-password", 120);
/// Failed attempts to reset a password, by network. A valid proof passes.
pub const RESET: Bucket = Bucket::per_hour("reset", 10);
/// Failed attempts to reset a password, by username and network. A valid proof passes.
pub const RESET_FROM: Bucket = Bucket::per_hour("reset-from", 5);
/// Failed attempts to reset a password, by username over all networks. A valid proof passes.
pub const RESET_OF: Bucket = Bucket::per_hour("reset-of", 100);
/// Proofs checked although a limit is exhausted, by network: each refused one is a row of the audit.
pub const PROOFS: Bucket = Bucket::per_minute("proofs", 30);
/// New sets of recovery codes, by member.
pub const RECOVERY_CODES: Bucket = Bucket::per_hour("recovery-codes", 10);
/// New passkeys and changes of them, by member.
pub const PASSKEYS: Bucket = Bucket::per_hour("passkeys", 60);
/// Challenges for a passkey as a proof in a session, by member and network: a session keeps five of them.
pub const PASSKEY_PROOFS: Bucket = Bucket::per_hour("passkey-proofs", 60);
/// Challenges for a passkey without a session, by network: each is a row for five minutes.
pub const PASSKEY_CHALLENGES: Bucket = Bucket::per_minute("passkey-challenges", 120);
/// The same over all networks, which keeps 30,000 rows at once: beyond it a challenge needs a proof of work.
pub const ALL_PASSKEY_CHALLENGES: Bucket = Bucket::per_minute("all-passkey-challenges", 6_000);
/// Challenges for a passkey with a proof of work, by network.
pub const PROVED_PASSKEY_CHALLENGES: Bucket = Bucket::per_minute("proved-passkey-challenges", 10);
/// Refused sign-ins by passkey, by network. A valid one is never guessed, so the limit bounds the work only.
pub const PASSKEY_SIGN_INS: Bucket = Bucket::per_minute("passkey-sign-ins", 120);
/// Secrets of authenticator apps, and the codes that confirm them, by member.
pub const TOTP: Bucket = Bucket::per_hour("totp", 30);
/// Wrong codes of authenticator apps with the right password, or beside a recovery code of a reset, by username over all networks: a
/// code is one of a million. Trusted browsers and recovery codes are exempt at the sign-in. Beyond it a code needs a proof of work.
pub const SECOND_FACTORS_OF: Bucket = Bucket::per_hour("second-factors-of", 20);
/// The same in a day: half a year of guesses has a chance of one in forty.
pub const SECOND_FACTORS_OF_DAY: Bucket = Bucket::per_day("second-factors-of-day", 50);
/// Wrong codes of authenticator apps as proofs of a signed-in member, in a day by member. Recovery codes and passkeys are exempt.
/// Beyond it a code needs a proof of work.
pub const PROOF_CODES_OF_DAY: Bucket = Bucket::per_day("proof-codes-of-day", 50);
/// Wrong codes of authenticator apps with a proof of work, in a day by account and network.
pub const PROVED_CODES_FROM: Bucket = Bucket::per_day("proved-codes-from", 2);
/// The same by account over all networks: beyond it the work is four times as much as for the first ones.
pub const PROVED_CODES_TO: Bucket = Bucket::per_day("proved-codes-to", 20);
/// The same: beyond it the work is sixteen times as much as for the first ones.
pub const MANY_PROVED_CODES_TO: Bucket = Bucket::per_day("many-proved-codes-to", 100);
/// Requests to connect, by member.
pub const CONNECTION_REQUESTS: Bucket = Bucket::per_hour("connection-requests", 30);
/// Invitations to communities, by member.
pub const COMMUNITY_INVITATIONS: Bucket = Bucket::per_hour("community-invitations", 60);
/// New avatars, by member.
pub const NEW_PICTURES: Bucket = Bucket::per_hour("new-pictures", 30);
/// Pictures for posts, by member.
pub const POST_PICTURES: Bucket = Bucket::per_hour("post-pictures", 20);
/// PDF files, by member.
pub const PDF_FILES: Bucket = Bucket::per_hour("pdf-files", 30);
/// Pictures for messages, by member: four for each of many messages.
pub const MESSAGE_PICTURES: Bucket = Bucket::per_hour("message-pictures", 120);
/// PDF files for messages, by member.
pub const MESSAGE_FILES: Bucket = Bucket::per_hour("message-files", 30);
/// Exports, by member.
pub const EXPORTS: Bucket = Bucket::per_hour("exports", 5);
/// Resources suggested, by member.
pub const SUGGESTIONS: Bucket = Bucket::per_hour("suggestions", 10);
/// Reports, by member.
pub const REPORTS: Bucket = Bucket::per_hour("reports", 20);
/// Decisions of a moderator, by member.
pub const MODERATION: Bucket = Bucket::per_minute("moderation", 60);
/// Decisions of a steward, by member.
pub const VERIFICATIONS: Bucket = Bucket::per_minute("verifications", 30);
/// Appeals against removals, by member.
pub const APPEALS: Bucket = Bucket::per_hour("appeals", 20);
/// Appeals against suspensions, by network: the member has no session.
pub const SUSPENSION_APPEALS: Bucket = Bucket::per_hour("suspension-appeals", 20);
/// Applications for postings, by member.
pub const APPLICATIONS: Bucket = Bucket::per_minute("applications", 30);
/// Refreshes of jobs, by address.
pub const JOB_REFRESHES: Bucket = Bucket::per_minute("job-refreshes", 10);
/// Refreshes of news, by address.
pub const NEWS_REFRESHES: Bucket = Bucket::per_minute("news-refreshes", 10);
/// Posts, communities and events, by member.
pub const POSTS: Bucket = Bucket::per_minute("posts", 10);
/// Comments, by member.
pub const COMMENTS: Bucket = Bucket::per_minute("comments", 30);
/// Edits of posts and comments, by member: each updates the search index.
pub const EDITS: Bucket = Bucket::per_minute("edits", 30);
/// Messages, by member.
pub const MESSAGES: Bucket = Bucket::per_minute("messages", 60);
/// Previews of links in the composer, by member: it asks each second while a page is being fetched.
pub const LINK_PREVIEWS: Bucket = Bucket::per_minute("link-previews", 60);
/// New groups and changes of groups, by member: each reaches up to 49 others.
pub const GROUPS: Bucket = Bucket::per_hour("groups", 30);
/// Typing indicators, by member.
pub const TYPING: Bucket = Bucket::per_minute("typing", 60);
/// Changes of the interests of live streams, by member: each may ask feed for a page of posts.
pub const LIVE_INTERESTS: Bucket = Bucket::per_minute("live-interests", 120);
/// Changes of push subscriptions, by member.
pub const PUSH_SUBSCRIPTIONS: Bucket = Bucket::per_hour("push-subscriptions", 60);
/// Small writes without a limit of their own, by member: reactions, follows, saved items, changes of owned entities.
pub const REACTIONS: Bucket = Bucket::per_minute("reactions", 120);
/// Searches, by member.
pub const SEARCHES: Bucket = Bucket::per_minute("searches", 60);
/// Searches without a session, by address.
pub const VISITOR_SEARCHES: Bucket = Bucket::per_minute("visitor-searches", 30);
/// Reads of pictures, by address. Not visitor reads: a page shows dozens. Bounds guesses of random names.
pub const PICTURES_SHOWN: Bucket = Bucket::per_minute("pictures-shown", 3_000);
