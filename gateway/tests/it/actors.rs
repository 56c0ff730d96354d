//! The members and entities of the tests, with the same ids in every run.

mod graph;
mod jobs;
mod messaging;
mod moderation;
mod news;

use chrono::{DateTime, Utc};
use portia_proto::{auth, feed, profile};
use primitives::error::{ErrorKind, ServiceError, Violation, new_status, to_status};
use prost_types::Timestamp;
use tonic::Status;
use uuid::Uuid;

pub use graph::{
    attendee, block, community, community_ban, community_invitation, community_log, community_member, connection,
    event, join_request, role,
};
pub use jobs::{application, history, job, job_source, resume};
pub use messaging::{
    conversation, group, group_messages, messages, notifications, push_subscription, subscribe_form, switches,
};
pub use moderation::{
    log_entry, message_report_details, moderated_report, moderation_stats, removal, report_details, standing,
    suspension_appeal,
};
pub use news::{article, news_source, resource};

/// A UUIDv7 with a readable number.
pub const fn id(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | n)
}

/// The first member.
pub const ANA: Uuid = id(0xa);
/// The second member.
pub const BEN: Uuid = id(0xb);
/// The third member, who shares nothing with Ana and Ben.
pub const CARL: Uuid = id(0xc);
/// A member whose profile and messages are for connections: Ben.
pub const DINA: Uuid = id(0xd1);
/// A moderator.
pub const MODERATOR: Uuid = id(0xd2);
/// A report of the comment of Ben.
pub const REPORT: Uuid = id(0x60);
/// The report of the message of Ben.
pub const MESSAGE_REPORT: Uuid = id(0x62);
/// The removal of a post of Ana.
pub const REMOVAL: Uuid = id(0x61);
/// A member unknown to profile.
pub const UNKNOWN: Uuid = id(0xff);
/// The post of Ana.
pub const POST: Uuid = id(0x50);
/// An uploaded picture of Ana, not used by a post.
pub const PICTURE_ID: Uuid = id(0x52);
/// The comment of Ben on that post.
pub const COMMENT: Uuid = id(0x51);
pub const REPLY: Uuid = id(0x54);

/// The community of Ana, with Ben as member.
pub const COMMUNITY: Uuid = id(0xc1);
/// A community like the first, for the set-up of live tests: a stream that begins to watch receives the last events.
pub const SET_UP_COMMUNITY: Uuid = id(0xc4);
/// The event of Ana, which Ben attends.
pub const EVENT: Uuid = id(0xc2);
/// An open posting.
pub const JOB: Uuid = id(0x10);
/// A closed posting.
pub const CLOSED_JOB: Uuid = id(0x12);
/// The application of Ana for the open posting.
pub const APPLICATION: Uuid = id(0x11);
/// A news article.
pub const ARTICLE: Uuid = id(0x20);
/// A law school resource.
pub const RESOURCE: Uuid = id(0x21);
/// The conversation of Ana and Ben.
pub const CONVERSATION: Uuid = id(0x30);
pub const GROUP: Uuid = id(0x36);
/// The last message of Ben.
pub const MESSAGE: Uuid = id(0x32);
/// A notification.
pub const NOTIFICATION: Uuid = id(0x38);
/// The push subscription of Ana.
pub const PUSH_SUBSCRIPTION: Uuid = id(0x39);
/// The connection request of Ben to Ana.
pub const CONNECTION: Uuid = id(0xc0);
/// The school whose steward is the moderator, and which verified Ana.
pub const SCHOOL: &str = "UP Law";
/// The one skill of every member.
pub const SKILL: &str = "Research";
/// The URL of the picture of every member.
pub const PICTURE: &str = "/media/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.jpg";
/// The cookie of a session that expired by time.
pub const EXPIRED: &str = "expired-expired-expired-expired-expired-exp";
/// A new password from a browser that is not trusted.
pub const UNTRUSTED_PASSWORD: &str = "battery without trust";
/// The token of a browser that the account of Ana trusts.
pub const TRUSTED: &str = "trusted-trusted-trusted-trusted-trusted-tru";

/// The status for an invalid field.
pub fn invalid_field(kind: ErrorKind, reason: &'static str, field: &str, sentence: &'static str) -> Status {
    #[derive(Debug, thiserror::Error)]
    #[error("{1}")]
    struct InvalidField(&'static str, &'static str, ErrorKind, [Violation; 1]);
    impl ServiceError for InvalidField {
        const SERVICE: &'static str = "fake";
        fn kind(&self) -> ErrorKind {
            self.2
        }
        fn reason(&self) -> &'static str {
            self.0
        }
        fn violations(&self) -> &[Violation] {
            &self.3
        }
    }
    to_status(&InvalidField(reason, sentence, kind, [Violation::new(field, sentence)]))
}

/// Whether the session is one of the initial sessions.
pub fn is_initial_session(session: Uuid) -> bool {
    [0x5a, 0x5b, 0x5c].map(id).contains(&session)
}

/// The session of Ana.
pub fn open_session() -> auth::OpenSession {
    auth::OpenSession {
        id: id(0x5a).to_string(),
        created_at: at(600),
        last_seen_at: at(60),
        browser: Some(auth::Browser { user_agent: "Firefox".to_owned(), address: "192.0.2.7".to_owned() }),
        is_current: true,
        trusted_since: at(600),
    }
}

/// The trusted browser of that session.
pub fn trusted_browser() -> auth::TrustedBrowserSummary {
    let session = open_session();
    auth::TrustedBrowserSummary {
        session_id: session.id,
        since: at(900),
        last_seen_at: session.last_seen_at,
        browser: session.browser,
        is_signed_in: true,
        is_current: true,
    }
}

/// A passkey of Ana.
pub fn passkey(name: &str) -> auth::Passkey {
    auth::Passkey {
        id: open_session().id,
        name: name.to_owned(),
        created_at: at(900),
        last_used_at: None,
        backed_up: true,
    }
}

/// A ceremony and its options.
pub fn challenge() -> (String, String) {
    ("ceremony".to_owned(), r#"{"challenge":"AAAA"}"#.to_owned())
}

/// The fixed current time.
pub fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_176_000, 0).unwrap()
}

pub fn at(seconds_ago: i64) -> Option<Timestamp> {
    Some(Timestamp { seconds: noon().timestamp() - seconds_ago, nanos: 250_000_000 })
}

/// The time in one hour.
pub fn in_an_hour() -> Option<Timestamp> {
    at(-3600)
}

pub fn member(id: Uuid) -> Option<profile::Member> {
    let (username, full_name) = match id {
        ANA => ("ana", "Ana Reyes"),
        BEN => ("ben", "Ben Whitlock"),
        CARL => ("carl", "Carl Oduya"),
        DINA => ("dina", "Dina Santos"),
        MODERATOR => ("mod", "Mia Torres"),
        _ => return None,
    };
    Some(profile::Member {
        id: id.to_string(),
        username: username.to_owned(),
        full_name: full_name.to_owned(),
        headline: (id == ANA).then(|| "2L at UP Law".to_owned()),
        indexable: true,
        verification: (id == ANA).then(|| profile::Verification { school: Some(SCHOOL.to_owned()) }),
        created_at: at(86_400),
        experiences: vec![profile::Experience {
            id: self::id(0xe1).to_string(),
            title: "Clerk".to_owned(),
            company: "Court".to_owned(),
            start_date: "2025-06".to_owned(),
            is_current_position: true,
            ..Default::default()
        }],
        education: vec![profile::Education {
            id: self::id(0xe2).to_string(),
            institution: "UP".to_owned(),
            degree: "J.D.".to_owned(),
            start_date: "2024-08".to_owned(),
            ..Default::default()
        }],
        skills: vec![SKILL.to_owned()],
        endorsements: vec![profile::SkillEndorsements {
            skill: SKILL.to_owned(),
            count: 1,
            endorsed_by_actor: id == BEN,
        }],
        ..Default::default()
    })
}

/// A member of the school; verified or not.
pub fn school_member(id: Uuid, is_verified: bool) -> Option<profile::SchoolMember> {
    Some(profile::SchoolMember {
        card: Some(profile::MemberCard {
            verification: is_verified.then(|| profile::Verification { school: Some(SCHOOL.to_owned()) }),
            ..card(id)?
        }),
        username: member(id)?.username,
        graduation_year: Some("2027".to_owned()),
        verified_at: at(60).filter(|_| is_verified),
        decidable: true,
    })
}

/// The verification of Ana by the steward.
pub fn verification_decision() -> profile::VerificationDecision {
    profile::VerificationDecision {
        id: id(0x7e).to_string(),
        member_id: ANA.to_string(),
        verified: true,
        cause: profile::VerificationCause::Steward.into(),
        steward_id: Some(MODERATOR.to_string()),
        reason: Some("Met in class.".to_owned()),
        at: at(60),
    }
}

/// Nothing of the onboarding is done.
pub fn onboarding() -> profile::Onboarding {
    let item = |step| profile::OnboardingItem { step, state: profile::OnboardingState::Open.into() };
    profile::Onboarding { items: (1..=5).map(item).collect(), dismissed: false }
}

/// The default settings.
pub fn privacy() -> profile::PrivacySettings {
    profile::PrivacySettings {
        profile_audience: profile::ProfileAudience::Public.into(),
        message_audience: profile::MessageAudience::Everyone.into(),
        search_engines: true,
        activity_shown: true,
        read_receipts: true,
    }
}

/// The status for a missing or closed account.
pub fn no_member() -> Status {
    new_status(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "User not found")
}

pub fn card(id: Uuid) -> Option<profile::MemberCard> {
    let profile::Member { id, full_name, headline, avatar_url, verification, .. } = member(id)?;
    Some(profile::MemberCard { id, full_name, headline, avatar_url, verification, ..Default::default() })
}

pub fn comment() -> feed::Comment {
    feed::Comment {
        id: COMMENT.to_string(),
        post_id: POST.to_string(),
        author_id: BEN.to_string(),
        content: "Congratulations!".to_owned(),
        created_at: at(60),
        edited_at: None,
        reply_to: None,
        reply_count: 1,
        like_count: 2,
        reactions: Vec::new(),
        mentioned_ids: Vec::new(),
    }
}

/// The reply of Ana to the comment of Ben.
pub fn reply() -> feed::Comment {
    feed::Comment {
        id: REPLY.to_string(),
        author_id: ANA.to_string(),
        content: "Thank you!".to_owned(),
        created_at: at(120),
        reply_to: Some(COMMENT.to_string()),
        reply_count: 0,
        like_count: 1,
        reactions: vec![feed::Reaction { member_id: ANA.to_string(), kind: feed::ReactionKind::Like.into() }],
        ..comment()
    }
}

/// The endorsement of Ana by Ben.
pub fn endorsement() -> profile::Endorsement {
    profile::Endorsement { endorser_id: BEN.to_string(), created_at: at(120), hidden: false }
}

/// The activity of Ben: a comment, a reaction and a post.
pub fn activities() -> Vec<feed::Activity> {
    use feed::activity::Action;
    let activity = |author: Uuid, action| feed::Activity {
        at: at(60),
        post_id: POST.to_string(),
        post_author_id: author.to_string(),
        post_excerpt: "Passed".to_owned(),
        action: Some(action),
    };
    let thanks = feed::ReactionKind::Thanks.into();
    vec![
        activity(ANA, Action::Commented(comment())),
        activity(ANA, Action::Reacted(thanks)),
        activity(BEN, Action::Posted(true)),
    ]
}

pub fn reaction() -> feed::Reaction {
    feed::Reaction { member_id: BEN.to_string(), kind: feed::ReactionKind::Celebrate.into() }
}

pub fn post() -> feed::Post {
    feed::Post {
        id: POST.to_string(),
        author_id: ANA.to_string(),
        content: "Passed the bar.".to_owned(),
        image_url: None,
        created_at: at(3600),
        like_count: 1,
        comment_count: 1,
        reactions: vec![reaction()],
        comments: vec![comment()],
        ..Default::default()
    }
}

/// The saved items of every member: one of each kind, a deleted posting, and a resource of the client.
pub fn saved_items() -> Vec<feed::SavedItem> {
    use feed::SavedKind::{Article, Event, Job, Post, Resource};
    let items =
        [(Post, POST), (Job, CLOSED_JOB), (Article, ARTICLE), (Resource, RESOURCE), (Event, EVENT), (Job, UNKNOWN)]
            .map(|(kind, id)| (kind, id.to_string()));
    let built_in = (Resource, "builtin-barbri".to_owned());
    let items = items.into_iter().chain([built_in]).zip((60..).step_by(60));
    items.map(|((kind, id), ago)| feed::SavedItem { kind: kind.into(), id, saved_at: at(ago) }).collect()
}

/// The reposted post of Ben.
pub fn repost() -> feed::Repost {
    feed::Repost {
        post_id: Some(POST.to_string()),
        author_id: Some(BEN.to_string()),
        content: Some("Study group, anyone?".to_owned()),
        created_at: at(60),
        ..Default::default()
    }
}
