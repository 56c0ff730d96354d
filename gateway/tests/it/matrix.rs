//! The authorisation matrix: every route, called by a visitor, the owner and other members.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    actors::{
        ANA, APPLICATION, ARTICLE, BEN, CARL, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, DINA, EVENT, GROUP, JOB,
        MESSAGE, MODERATOR, POST, PUSH_SUBSCRIPTION, REMOVAL, REPORT, RESOURCE, SKILL, id, subscribe_form,
    },
    live::Listener,
    test_gateway::{TestGateway, TestRequest},
};

/// A route with the ids of Ana, and the expected status for each caller.
struct Row {
    method: &'static str,
    route: &'static str,
    path: String,
    body: Option<Value>,
    visitor: u16,
    ana: u16,
    ben: u16,
    /// A member without a relation to the entity, if the status differs from Ben's.
    carl: Option<u16>,
    /// A moderator, where the role matters.
    moderator: Option<u16>,
    /// The service refuses. Otherwise the gateway refuses without a call.
    is_refused_by_service: bool,
}

fn row(method: &'static str, route: &'static str, [visitor, ana, ben]: [u16; 3]) -> Row {
    let id = match route.split('/').nth(2) {
        Some("posts" | "hidden-posts") => POST,
        Some("comments") => COMMENT,
        Some("connections") => CONNECTION,
        Some("communities") => COMMUNITY,
        Some("events") => EVENT,
        Some("conversations") => CONVERSATION,
        Some("messages") => MESSAGE,
        Some("jobs") if route.contains("/applications/") => APPLICATION,
        Some("jobs" | "saved-items") => JOB,
        Some("news") => ARTICLE,
        Some("resources") => RESOURCE,
        Some("moderation") if route.contains("/reports/") => REPORT,
        Some("moderation") if route.contains("/messages/") => MESSAGE,
        Some("moderation") if route.contains("/members/") => BEN,
        Some("moderation" | "appeals") => REMOVAL,
        Some("school") => BEN,
        Some("push") => PUSH_SUBSCRIPTION,
        // The session of Ana, which the last rows end.
        Some("auth") => id(0x5a),
        _ => ANA,
    };
    // Members cannot block or follow themselves.
    let is_of_another = route.starts_with("/api/blocks/") || route.starts_with("/api/follows/");
    let other = if is_of_another { CARL } else { BEN };
    let path = route.replace("{id}", &id.to_string()).replace("{memberId}", &other.to_string());
    let kind = if route.contains("/files/") { "resume" } else { "job" };
    let path = path.replace("{kind}", kind).replace("{topic}", "moot").replace("{messageId}", &MESSAGE.to_string());
    let path = path.replace("{number}", "1");
    Row {
        method,
        route,
        path,
        body: None,
        visitor,
        ana,
        ben,
        carl: None,
        moderator: None,
        is_refused_by_service: false,
    }
}

impl Row {
    fn with(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    /// The service refuses; Carl gets `status`.
    fn refused_by_service(self, status: u16) -> Self {
        Self { carl: Some(status), is_refused_by_service: true, ..self }
    }

    /// Both participants are allowed; Carl gets 403.
    fn between_two(self) -> Self {
        Self { carl: Some(403), ..self }
    }

    /// A moderator gets `status`.
    fn by_moderator(self, status: u16) -> Self {
        Self { moderator: Some(status), ..self }
    }

    /// Returns the same route of another member.
    fn of(self, member: Uuid) -> Self {
        Self { path: self.path.replace(&ANA.to_string(), &member.to_string()), ..self }
    }

    /// The group instead of the conversation of Ana and Ben.
    fn of_group(self) -> Self {
        Self { path: self.path.replace(&CONVERSATION.to_string(), &GROUP.to_string()), ..self }
    }

    /// Returns the same route with a member other than Ben.
    fn of_member(self, member: Uuid) -> Self {
        Self { path: self.path.replace(&BEN.to_string(), &member.to_string()), ..self }
    }

    fn with_query(self, query: String) -> Self {
        Self { path: self.path + &query, ..self }
    }
}

/// Every caller is allowed.
const OPEN: [u16; 3] = [200, 200, 200];
/// Members only.
const MEMBERS: [u16; 3] = [401, 200, 200];
/// Moderators only. Other members get the response of an unknown route.
const MODERATORS: [u16; 3] = [401, 404, 404];
/// Ana only.
const OWNER: [u16; 3] = [401, 200, 403];

fn matrix() -> Vec<Row> {
    let post = json!({ "userId": ANA, "content": "Hello" });
    let like = json!({ "userId": ANA, "type": "like" });
    let skill = json!({ "skill": SKILL });
    let hide = json!({ "skill": SKILL, "endorserId": BEN, "hidden": true });
    let lists = json!({ "userId": ANA, "bio": null, "experiences": [], "education": [], "skills": [] });
    let connect = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let event = json!({ "title": "Moot court", "startDate": "2026-12-01T09:00:00+08:00",
                        "endDate": "2026-12-01T11:00:00+08:00", "timeZone": "Asia/Manila" });
    let resource = json!({ "title": "Outlines", "url": "https://outlines.example/", "type": "guide" });
    vec![
        row("post", "/api/auth/register", [201; 3])
            .with(json!({ "username": "carla", "password": "correct horse", "fullName": "Carla Diaz" })),
        row("post", "/api/policy-reports", [204, 204, 204]),
        row("post", "/api/auth/login", OPEN).with(json!({ "username": "ana", "password": "correct horse" })),
        row("get", "/api/auth/me", MEMBERS),
        row("post", "/api/auth/check-username", OPEN).with(json!({ "username": "ana" })),
        row("post", "/api/auth/check-password", OPEN).with(json!({ "hashPrefix": "5e8" })),
        row("post", "/api/auth/suspension-appeal", [204; 3]).with(json!({ "token": "token", "text": "I did not." })),
        row("post", "/api/auth/change-password", [401, 204, 204])
            .with(json!({ "currentPassword": "correct horse", "newPassword": "battery staple" })),
        row("post", "/api/auth/reauthenticate", [401, 204, 204]).with(json!({ "password": "correct horse" })),
        row("get", "/api/auth/reauthenticate", [401, 204, 204]),
        row("get", "/api/auth/sessions", MEMBERS),
        row("get", "/api/auth/trusted-browsers", MEMBERS),
        row("delete", "/api/auth/trusted-browsers/{id}", [401, 204, 404]).refused_by_service(404),
        row("get", "/api/auth/recovery-codes", MEMBERS),
        row("post", "/api/auth/recovery-codes", [401, 201, 201]).with(json!({})),
        row("get", "/api/auth/passkeys", MEMBERS),
        row("post", "/api/auth/passkeys", [401, 201, 201]).with(crate::passkeys::new_passkey()),
        row("post", "/api/auth/passkeys/options", [401, 201, 201]),
        row("post", "/api/auth/passkeys/proof/options", [401, 201, 201]),
        // The passkey of Ana.
        row("patch", "/api/auth/passkeys/{id}", [401, 200, 404])
            .with(json!({ "name": "Laptop" }))
            .refused_by_service(404),
        row("delete", "/api/auth/passkeys/{id}", [401, 204, 404]).refused_by_service(404),
        row("post", "/api/auth/passkeys/sign-in/options", [201; 3]),
        row("post", "/api/auth/passkeys/reset/options", [201; 3]),
        row("post", "/api/auth/passkeys/sign-in", OPEN).with(crate::passkeys::assertion("AQID")),
        row("get", "/api/auth/totp", MEMBERS),
        row("post", "/api/auth/totp", [401, 201, 201]).with(json!({})),
        row("post", "/api/auth/totp/confirm", [401, 204, 204]).with(json!({ "oneTimeCode": "123456" })),
        row("delete", "/api/auth/totp", [401, 204, 204]),
        row("get", "/api/posts", OPEN),
        row("get", "/api/posts", MEMBERS).with_query(format!("?communityId={COMMUNITY}")).refused_by_service(403),
        row("post", "/api/posts", [401, 201, 403]).with(post.clone()),
        row("post", "/api/posts", [401, 201, 201])
            .with(json!({ "content": "Hello", "communityId": COMMUNITY }))
            .refused_by_service(403),
        row("get", "/api/posts/{id}", OPEN),
        row("patch", "/api/posts/{id}", OWNER).with(json!({ "content": "Hello" })).refused_by_service(403),
        row("delete", "/api/posts/{id}", [401, 204, 403]).refused_by_service(403),
        // The comment of Ben on the post of Ana.
        row("patch", "/api/comments/{id}", [401, 403, 200]).with(json!({ "content": "Hello" })).refused_by_service(403),
        row("delete", "/api/comments/{id}", MEMBERS).refused_by_service(403),
        row("post", "/api/posts", [401, 201, 201]).with(json!({ "repostOf": POST })),
        row("post", "/api/pictures", [401, 201, 201]),
        row("post", "/api/pdf-files", [401, 201, 201]),
        // feed answers 404 for a post that the caller may not see.
        row("get", "/api/posts/{id}/pdf", OPEN),
        row("get", "/api/posts/{id}/likes", OPEN),
        row("post", "/api/posts/{id}/likes", OWNER).with(like.clone()),
        row("delete", "/api/posts/{id}/likes", MEMBERS),
        row("get", "/api/posts/{id}/comments", OPEN),
        row("post", "/api/posts/{id}/comments", [401, 201, 403]).with(post),
        row("get", "/api/comments/{id}", OPEN),
        row("get", "/api/comments/{id}/replies", OPEN),
        row("get", "/api/comments/{id}/likes", OPEN),
        row("post", "/api/comments/{id}/likes", OWNER).with(like.clone()),
        row("delete", "/api/comments/{id}/likes", MEMBERS),
        row("patch", "/api/users/{id}", OWNER).with(json!({ "headline": "2L" })),
        row("get", "/api/users/{id}/profile", OPEN),
        row("put", "/api/users/{id}/profile", OWNER).with(lists),
        // The profile of Dina is for connections: Ben. Other members get the name, visitors nothing.
        row("get", "/api/users/{id}/profile", [404, 200, 200]).of(DINA).refused_by_service(200),
        row("get", "/api/users/{id}/privacy", OWNER),
        row("patch", "/api/users/{id}/privacy", OWNER).with(json!({ "readReceipts": false })),
        row("patch", "/api/users/{id}/onboarding", OWNER).with(json!({ "step": "school", "state": "skipped" })),
        row("get", "/api/users/{id}/activity", OPEN),
        row("get", "/api/users/{id}/export", OWNER),
        row("get", "/api/users/{id}/endorsements", OPEN).with_query(format!("?skill={SKILL}")),
        row("post", "/api/users/{id}/endorsements", [401, 403, 200]).with(skill).refused_by_service(200),
        row("delete", "/api/users/{id}/endorsements", MEMBERS).with_query(format!("?skill={SKILL}")),
        row("patch", "/api/users/{id}/endorsements", OWNER).with(hide),
        row("get", "/api/users/{id}/connections", OWNER),
        row("get", "/api/users/{id}/suggestions", OWNER),
        row("get", "/api/connections", OWNER).with_query(format!("?recipientId={ANA}&status=pending")),
        row("get", "/api/connections", MEMBERS)
            .with_query(format!("?requesterId={ANA}&recipientId={BEN}"))
            .between_two(),
        row("get", "/api/connections", OWNER)
            .with_query(format!("?requesterId={ANA}&recipientId={}", crate::actors::UNKNOWN)),
        row("post", "/api/connections", [401, 201, 403]).with(connect),
        row("patch", "/api/connections/{id}", [401, 200, 403])
            .with(json!({ "status": "accepted" }))
            .refused_by_service(404),
        row("delete", "/api/connections/{id}", [401, 403, 204]).refused_by_service(404),
        row("delete", "/api/users/{id}/suggestions/{memberId}", [401, 204, 403]),
        row("get", "/api/blocks", MEMBERS),
        row("put", "/api/blocks/{memberId}", [401, 204, 204]).refused_by_service(400),
        row("delete", "/api/blocks/{memberId}", [401, 204, 204]),
        row("get", "/api/follows", MEMBERS),
        row("get", "/api/follows/{memberId}", MEMBERS),
        row("put", "/api/follows/{memberId}", [401, 204, 204]).refused_by_service(400),
        row("delete", "/api/follows/{memberId}", [401, 204, 204]),
        row("get", "/api/posts", MEMBERS).with_query("?feed=following".to_owned()),
        row("get", "/api/posts/{id}/reasons", MEMBERS),
        row("get", "/api/hidden-posts", MEMBERS),
        // The post of Ana.
        row("put", "/api/hidden-posts/{id}", [401, 409, 204])
            .with(json!({ "notInterested": true }))
            .refused_by_service(204),
        row("delete", "/api/hidden-posts/{id}", [401, 204, 204]),
        row("get", "/api/mutes", MEMBERS),
        row("post", "/api/mutes", [401, 201, 201]).with(json!({ "kind": "word", "word": "bar" })),
        row("delete", "/api/mutes/{id}", [401, 204, 204]),
        row("get", "/api/communities", OPEN),
        row("post", "/api/communities", [401, 201, 201]).with(json!({ "name": "Moot Society" })),
        row("get", "/api/communities/{id}", OPEN),
        row("patch", "/api/communities/{id}", OWNER).with(json!({ "rules": null })).refused_by_service(403),
        row("get", "/api/communities/{id}/members", OPEN),
        row("patch", "/api/communities/{id}/members/{memberId}", OWNER)
            .with(json!({ "role": "owner" }))
            .refused_by_service(403),
        row("delete", "/api/communities/{id}/members/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("get", "/api/communities/invitations", MEMBERS),
        row("get", "/api/communities/{id}/requests", OWNER).refused_by_service(403),
        row("put", "/api/communities/{id}/requests/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("delete", "/api/communities/{id}/requests/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("get", "/api/communities/{id}/invitations", OWNER).refused_by_service(403),
        row("put", "/api/communities/{id}/invitations/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("delete", "/api/communities/{id}/invitations/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("get", "/api/communities/{id}/bans", OWNER).refused_by_service(403),
        row("delete", "/api/communities/{id}/bans/{memberId}", [401, 204, 403]).refused_by_service(403),
        row("get", "/api/communities/{id}/log", OWNER).refused_by_service(403),
        row("post", "/api/communities/{id}/transfer", OWNER).with(json!({ "memberId": BEN })).refused_by_service(403),
        row("delete", "/api/communities/{id}", [401, 204, 403]).refused_by_service(403),
        row("put", "/api/communities/{id}/membership", MEMBERS),
        row("delete", "/api/communities/{id}/membership", [401, 409, 200]).refused_by_service(200),
        row("get", "/api/events", OPEN),
        row("post", "/api/events", [401, 201, 201]).with(event),
        row("get", "/api/events/{id}", OPEN),
        row("patch", "/api/events/{id}", OWNER).with(json!({ "title": "Finals" })).refused_by_service(403),
        row("delete", "/api/events/{id}", [401, 204, 403]).refused_by_service(403),
        row("put", "/api/events/{id}/attendance", MEMBERS),
        row("delete", "/api/events/{id}/attendance", MEMBERS),
        row("get", "/api/events/{id}/attendees", OPEN),
        row("get", "/api/events/{id}/calendar.ics", OPEN),
        row("get", "/api/resources", OPEN),
        // Ten suggestions of Carl are pending.
        row("post", "/api/resources", [401, 202, 202]).with(resource).refused_by_service(409),
        row("get", "/api/resources/{id}", OPEN),
        row("get", "/api/jobs", OPEN),
        row("get", "/api/jobs/{id}", OPEN),
        row("get", "/api/jobs/stats/overview", OPEN),
        row("post", "/api/jobs/refresh", OPEN),
        row("get", "/api/jobs/applications/my", MEMBERS),
        row("get", "/api/jobs/applications/{id}", [401, 200, 404]).refused_by_service(404),
        row("patch", "/api/jobs/applications/{id}", [401, 200, 404])
            .with(json!({ "status": "offered" }))
            .refused_by_service(404),
        // Ana has applied already.
        row("post", "/api/jobs/{id}/apply", [401, 409, 201]).with(json!({ "notes": "Hello" })).refused_by_service(201),
        row("get", "/api/jobs/applications/{id}/files/{kind}", [401, 200, 404]).refused_by_service(404),
        row("put", "/api/jobs/applications/{id}/files/{kind}", [401, 200, 404]).refused_by_service(404),
        row("delete", "/api/jobs/applications/{id}/files/{kind}", [401, 200, 404]).refused_by_service(404),
        row("get", "/api/news", OPEN),
        row("get", "/api/news/{id}", OPEN),
        row("get", "/api/news/sources/list", OPEN),
        row("post", "/api/news/refresh", OPEN),
        row("get", "/api/status", OPEN),
        row("get", "/api/search", OPEN).with_query("?q=clerk".to_owned()),
        // The comment and the message of Ben.
        row("post", "/api/reports", [401, 202, 409])
            .with(json!({ "kind": "comment", "id": COMMENT, "reason": "harassment" }))
            .refused_by_service(202),
        row("post", "/api/reports", [401, 202, 409])
            .with(json!({ "kind": "message", "id": MESSAGE, "reason": "spam" }))
            .refused_by_service(404),
        row("post", "/api/link-previews", MEMBERS).with(json!({ "url": "https://lawphil.example/" })),
        row("get", "/api/moderation/reports", MODERATORS).by_moderator(200),
        row("get", "/api/moderation/reports/{id}", MODERATORS).by_moderator(200),
        row("post", "/api/moderation/reports/{id}/decision", MODERATORS)
            .with(json!({ "decision": "remove", "reason": "spam" }))
            .by_moderator(200),
        row("get", "/api/moderation/messages/{id}/pictures/{number}", MODERATORS).by_moderator(200),
        row("get", "/api/moderation/messages/{id}/file", MODERATORS).by_moderator(200),
        row("get", "/api/moderation/appeals", MODERATORS).by_moderator(200),
        row("post", "/api/moderation/appeals/{id}/decision", MODERATORS)
            .with(json!({ "decision": "uphold", "reason": "spam" }))
            .by_moderator(200),
        row("get", "/api/moderation/suspensions", MODERATORS).by_moderator(200),
        row("post", "/api/moderation/members/{id}/suspend", MODERATORS)
            .with(json!({ "reason": "spam" }))
            .by_moderator(200),
        row("post", "/api/moderation/members/{id}/restore", MODERATORS)
            .with(json!({ "reason": "no-violation" }))
            .by_moderator(200),
        row("get", "/api/moderation/suspension-appeals", MODERATORS).by_moderator(200),
        row("post", "/api/moderation/suspension-appeals/{id}/decision", MODERATORS)
            .with(json!({ "decision": "overturn", "reason": "no-violation" }))
            .by_moderator(200),
        row("get", "/api/moderation/statistics", MODERATORS).by_moderator(200),
        row("get", "/api/moderation/log", MODERATORS).by_moderator(200),
        row("get", "/api/school/members", MODERATORS).by_moderator(200).refused_by_service(404),
        row("post", "/api/school/members/{id}/verify", MODERATORS)
            .with(json!({ "fullName": "Ben Whitlock", "reason": "Met in class." }))
            .by_moderator(200)
            .refused_by_service(404),
        row("post", "/api/school/members/{id}/withdraw", MODERATORS)
            .with(json!({ "reason": "A mistake." }))
            .by_moderator(200)
            .refused_by_service(404),
        row("get", "/api/school/decisions", MODERATORS).by_moderator(200).refused_by_service(404),
        row("get", "/api/users/{id}/namesakes", OPEN),
        // The removed post of Ana.
        row("get", "/api/appeals/{id}", [401, 200, 404]).by_moderator(404).refused_by_service(404),
        row("post", "/api/appeals/{id}", [401, 201, 404])
            .with(json!({ "text": "It is true." }))
            .by_moderator(404)
            .refused_by_service(404),
        row("get", "/api/topics", OPEN),
        row("get", "/api/topics/{topic}/posts", OPEN),
        row("put", "/api/topics/{topic}/follow", [401, 204, 204]),
        row("delete", "/api/topics/{topic}/follow", [401, 204, 204]),
        row("get", "/api/saved-items", MEMBERS),
        row("get", "/api/saved-items/ids", MEMBERS),
        row("put", "/api/saved-items/{kind}/{id}", [401, 204, 204]),
        row("delete", "/api/saved-items/{kind}/{id}", [401, 204, 204]),
        row("get", "/api/conversations", MEMBERS),
        row("post", "/api/conversations", [401, 201, 400]).with(json!({ "userId": BEN })).refused_by_service(404),
        // Dina accepts messages of connections only: Ben.
        row("post", "/api/conversations", [401, 403, 200]).with(json!({ "userId": DINA })).refused_by_service(404),
        row("get", "/api/conversations/{id}", MEMBERS).refused_by_service(404),
        row("delete", "/api/conversations/{id}", [401, 204, 204]).refused_by_service(404),
        row("post", "/api/conversations/groups", [401, 201, 201])
            .with(json!({ "title": "Moot court", "memberIds": [CARL, DINA] })),
        // The group of Ana and Ben, which Ana owns.
        row("patch", "/api/conversations/{id}/group", OWNER)
            .with(json!({ "title": "Finals" }))
            .of_group()
            .refused_by_service(404),
        row("get", "/api/conversations/{id}/members", MEMBERS).of_group().refused_by_service(404),
        row("post", "/api/conversations/{id}/members", OWNER)
            .with(json!({ "memberIds": [DINA] }))
            .of_group()
            .refused_by_service(404),
        // Ben leaves, or is removed by the owner.
        row("delete", "/api/conversations/{id}/members/{memberId}", [401, 204, 204]).of_group().refused_by_service(404),
        row("delete", "/api/conversations/{id}/members/{memberId}", [401, 204, 403])
            .of_group()
            .of_member(ANA)
            .refused_by_service(404),
        row("post", "/api/conversations/{id}/accept", MEMBERS).refused_by_service(404),
        row("put", "/api/conversations/{id}/mute", [401, 204, 204]).refused_by_service(404),
        row("delete", "/api/conversations/{id}/mute", [401, 204, 204]).refused_by_service(404),
        row("get", "/api/messages", MEMBERS).with_query("?search=nine".to_owned()),
        // The message of Ben.
        row("get", "/api/conversations/{id}/messages/{messageId}", MEMBERS).refused_by_service(404),
        row("patch", "/api/conversations/{id}/messages/{messageId}", [401, 403, 200])
            .with(json!({ "content": "At ten" }))
            .refused_by_service(404),
        row("delete", "/api/conversations/{id}/messages/{messageId}", [401, 403, 204]).refused_by_service(404),
        row("put", "/api/conversations/{id}/messages/{messageId}/reactions", MEMBERS)
            .with(json!({ "kind": "love", "on": true }))
            .refused_by_service(404),
        row("post", "/api/conversations/{id}/messages", [401, 201, 201])
            .with(json!({ "content": "Hi" }))
            .refused_by_service(404),
        row("post", "/api/conversations/{id}/messages", [401, 201, 403])
            .with(json!({ "userId": ANA, "conversationId": CONVERSATION, "content": "Hi" })),
        row("post", "/api/message-pictures", [401, 201, 201]),
        row("post", "/api/message-files", [401, 201, 201]),
        // messaging answers 404 for a message that the caller may not see.
        row("get", "/api/messages/{id}/pictures/{number}", MEMBERS).refused_by_service(404),
        row("get", "/api/messages/{id}/file", MEMBERS).refused_by_service(404),
        row("post", "/api/conversations/{id}/read", [401, 204, 204])
            .with(json!({ "upTo": MESSAGE }))
            .refused_by_service(404),
        row("post", "/api/conversations/{id}/typing", [401, 204, 204]).refused_by_service(404),
        row("get", "/api/unread", MEMBERS),
        row("get", "/api/notifications", MEMBERS),
        row("post", "/api/notifications/read", [401, 204, 204]).with(json!({ "upTo": "2026-11-20T12:00:00Z" })),
        row("get", "/api/notifications/settings", MEMBERS),
        row("patch", "/api/notifications/settings", MEMBERS).with(json!({ "post_liked": false })),
        row("get", "/api/push", MEMBERS),
        row("post", "/api/push/subscriptions", MEMBERS).with(subscribe_form()),
        // The browser of Ana.
        row("delete", "/api/push/subscriptions/{id}", [401, 204, 404]).refused_by_service(404),
        row("get", "/api/live", MEMBERS),
        // The stream of Ana.
        row("put", "/api/live/{streamId}/interests", [401, 200, 404]).with(json!({ "posts": [POST], "feed": true })),
        // These end sessions.
        row("delete", "/api/auth/sessions/{id}", [401, 204, 404]).refused_by_service(404),
        row("delete", "/api/auth/sessions", [401, 204, 204]),
        row("post", "/api/auth/close-account", [401, 204, 204]).with(json!({ "confirmation": "ana" })),
        row("post", "/api/auth/reset-password", [204; 3])
            .with(json!({ "username": "ana", "password": "battery staple", "recoveryCode": "CODE" })),
        row("post", "/api/auth/logout", [204; 3]).with(json!({})),
    ]
}

async fn status(gateway: &TestGateway, row: &Row, caller: Option<Uuid>) -> u16 {
    let mut path = row.path.clone();
    if path.contains("{streamId}") {
        path = path.replace("{streamId}", &Listener::open(gateway, ANA).await.stream);
        gateway.fakes.seen();
    }
    let mut request = TestRequest::new(&row.method.to_uppercase(), &path);
    if let Some(member) = caller {
        request = request.by_member(member);
    }
    if let Some(body) = &row.body {
        request = request.json(body);
    }
    if ["/api/pictures", "/api/message-pictures"].contains(&row.route) {
        request = request.untyped(crate::pictures::PNG).header("content-type", "image/png");
    }
    if ["/api/pdf-files", "/api/message-files"].contains(&row.route)
        || (row.method == "put" && row.route.ends_with("/files/{kind}"))
    {
        request = request.untyped(crate::application_files::PDF).header("content-type", "application/pdf");
        request = request.header("x-file-name", "cv.pdf");
    }
    if row.route == "/api/policy-reports" {
        request = request.untyped(r#"{"csp-report": {}}"#).header("content-type", "application/csp-report");
    }
    if row.route == "/api/live" {
        // The stream does not end.
        return gateway.begin(request).await.status().as_u16();
    }
    gateway.send(request).await.status.as_u16()
}

#[tokio::test]
async fn every_route_admits_exactly_the_callers_of_the_matrix() {
    for row in matrix() {
        let gateway = TestGateway::start().await;
        let rest = row.carl.unwrap_or(row.ben);
        let callers = [(None, row.visitor), (Some(ANA), row.ana), (Some(BEN), row.ben), (Some(CARL), rest)];
        let moderator = row.moderator.map(|expected| (Some(MODERATOR), expected));
        for (caller, expected) in callers.into_iter().chain(moderator) {
            gateway.fakes.seen();
            let status = status(&gateway, &row, caller).await;
            assert_eq!(status, expected, "{} {} as {caller:?}", row.method, row.path);
            for seen in gateway.fakes.seen() {
                let actor = if is_called_by_gateway(&row, seen.method) { None } else { caller };
                assert_eq!(seen.actor, actor, "{} called {} as another caller", row.path, seen.method);
                let is_early =
                    status < 400 || seen.method == "resolve_session" || (row.is_refused_by_service && status != 401);
                assert!(is_early, "{} was refused too late", row.path);
            }
        }
    }
}

/// The gateway calls with its own token before it knows the caller, and for registration and sign-in.
fn is_called_by_gateway(row: &Row, method: &str) -> bool {
    let actions = [
        "register",
        "login",
        "logout",
        "check-username",
        "check-password",
        "reset-password",
        "suspension-appeal",
        "passkeys/sign-in",
        "passkeys/sign-in/options",
        "passkeys/reset/options",
    ];
    method == "resolve_session" || actions.iter().any(|action| row.route == format!("/api/auth/{action}"))
}

#[test]
fn every_route_has_a_row() {
    let rows = matrix();
    let mut missing = Vec::new();
    for (path, item) in gateway::api::routes::document().paths.paths {
        let operations =
            [("get", item.get), ("post", item.post), ("put", item.put), ("patch", item.patch), ("delete", item.delete)];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            let mut of_route = rows.iter().filter(|row| row.method == method && row.route == path).peekable();
            if of_route.peek().is_none() {
                missing.push(format!("{method} {path}"));
            }
            // The document marks the routes that refuse visitors.
            let is_member_only = operation.security.is_some();
            assert_eq!(of_route.all(|row| row.visitor == 401), is_member_only, "{method} {path}: openapi.json differs");
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[tokio::test]
async fn a_refused_visitor_gets_the_message_of_the_specification() {
    let gateway = TestGateway::start().await;
    let sentences = [
        ("POST", format!("/api/posts/{POST}/likes"), "Please sign in to like posts"),
        ("POST", format!("/api/posts/{POST}/comments"), "Please sign in to comment on posts"),
        ("POST", format!("/api/comments/{COMMENT}/likes"), "Please sign in to like comments"),
        ("GET", "/api/connections".to_owned(), "Please sign in to connect with other users"),
        ("POST", "/api/connections".to_owned(), "Please sign in to connect with other users"),
        ("PATCH", format!("/api/connections/{CONNECTION}"), "Please sign in to connect with other users"),
        ("POST", "/api/posts".to_owned(), "Sign in required"),
    ];
    for (method, path, sentence) in sentences {
        assert_eq!(gateway.send(TestRequest::new(method, &path)).await.refused(401)["error"], sentence);
    }
}

#[tokio::test]
async fn a_forged_user_id_is_refused() {
    let gateway = TestGateway::start().await;
    for forged in [json!(BEN), json!(""), json!("ana"), json!("0")] {
        let body = json!({ "userId": forged, "content": "Not mine", "type": "like" });
        for path in [
            "/api/posts".to_owned(),
            format!("/api/posts/{POST}/likes"),
            format!("/api/posts/{POST}/comments"),
            format!("/api/comments/{COMMENT}/likes"),
        ] {
            let reply = gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&body)).await;
            assert_eq!(reply.refused(403)["code"], "NOT_YOURS");
        }
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}
