//! The mutations: an authorisation check of every service, a limit of a length, and a block that must look like a missing member.

/// A check to remove, and the test that must notice.
pub(super) struct Mutation {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    /// Occurs once in the file. In a statement, the replacement has the same columns and parameters.
    pub(super) text: &'static str,
    pub(super) replacement: &'static str,
    /// The test of deploy/standalone that must fail.
    pub(super) test: &'static str,
    /// A part of a line of its failure, which no other mutation causes.
    pub(super) report: &'static str,
}

const MATRIX: &str = "matrix::every_route_admits_exactly_the_callers_of_the_matrix_and_reveals_nothing_to_others";

pub(super) const MUTATIONS: [Mutation; 9] = [
    Mutation {
        name: "auth: a member ends the session of another",
        file: "services/auth/src/sessions.rs",
        text: "delete from auth.sessions\n        where id = $1 and member_id = $2",
        replacement: "delete from auth.sessions\n        where id = $1 and (member_id = $2 or true)",
        test: MATRIX,
        report: "delete /api/auth/sessions/{id=session} as member: 204",
    },
    Mutation {
        name: "profile: a member who is no steward verifies another",
        file: "services/profile/src/verifications/stewards.rs",
        text: "where s.member_id = $1\n            and not m.hidden\n        for share of s",
        replacement: "where (s.member_id = $1 or true)\n            and not m.hidden\n        for share of s",
        test: MATRIX,
        report: "post /api/school/members/{id=other}/verify as member: 200",
    },
    Mutation {
        name: "social-graph: a member changes the community of another",
        file: "services/social-graph/src/communities/changes.rs",
        text: "and m.member_id = $2\n                    and m.role = 'owner'",
        replacement: "and (m.member_id = $2 or true)\n                    and m.role = 'owner'",
        test: MATRIX,
        report: "patch /api/communities/{id=club} as member: 200",
    },
    Mutation {
        name: "feed: a member edits the post of another",
        file: "services/feed/src/posts/update.rs",
        text: "and author_id = $1",
        replacement: "and (author_id = $1 or true)",
        test: MATRIX,
        report: "patch /api/posts/{id=post} as member: 200",
    },
    Mutation {
        name: "jobs: a member reads the application of another",
        file: "services/jobs/src/applications.rs",
        text: "and a.member_id = $2",
        replacement: "and (a.member_id = $2 or true)",
        test: MATRIX,
        report: "get /api/jobs/applications/{id=application} as member: 200",
    },
    Mutation {
        name: "news: a member reads a suggestion before its approval",
        file: "services/news/src/resources.rs",
        text: "where id = $1\n            and approved_at is not null",
        replacement: "where id = $1\n            and (approved_at is not null or true)",
        test: MATRIX,
        report: "get /api/resources/{id=suggestion} as member: 200",
    },
    Mutation {
        name: "messaging: a member edits the message of another",
        file: "services/messaging/src/messages/change.rs",
        text: "and m.sender_id = $2\n                and m.deleted_at is null\n                and m.system_kind is null\n                and m.sent_at > $6",
        replacement: "and (m.sender_id = $2 or true)\n                and m.deleted_at is null\n                and m.system_kind is null\n                and m.sent_at > $6",
        test: MATRIX,
        report: "patch /api/conversations/{id=conversation}/messages/{messageId=message} as other: 200",
    },
    Mutation {
        name: "jobs: notes of any length",
        file: "services/jobs/src/applications.rs",
        text: "pub const MAX_NOTES: usize = 4_000;",
        replacement: "pub const MAX_NOTES: usize = 4_000_000;",
        test: "bad_input::every_field::bad_input_in_any_field_or_parameter_is_never_a_5xx_and_refused_requests_write_nothing",
        report: "beyond its limit as /notes",
    },
    Mutation {
        name: "social-graph: a member who blocked the caller can be followed",
        file: "services/social-graph/src/follows.rs",
        text: "or (blocker_id = $2 and blocked_id = $1)\n                )\n        ),\n        inserted",
        replacement: "or (false and blocker_id = $2 and blocked_id = $1)\n                )\n        ),\n        inserted",
        test: "matrix::existence::a_member_who_blocked_the_caller_is_answered_like_a_missing_one",
        report: "PUT /api/follows/{x}",
    },
];
