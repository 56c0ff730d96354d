//! The field limits of gateway/openapi.json are the limits of the services: each is accepted, and one more is refused.

use std::{collections::BTreeSet, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    browser::{Browser, Response},
    local::{folder, start},
};

/// A request with an object of a schema: valid, so that only the changed field can be refused.
struct Form {
    schema: &'static str,
    method: Method,
    path: String,
    body: Value,
    /// The JSON pointer to the object, and the prefix of its fields in a refusal.
    object: (&'static str, &'static str),
    /// Only this field; every field if `None`.
    only: Option<&'static str>,
}

fn form(schema: &'static str, method: Method, path: &str, body: Value) -> Form {
    Form { schema, method, path: path.to_owned(), body, object: ("", ""), only: None }
}

/// The limits that need an uploaded picture, an authenticator, fifty members, or the role of a moderator or steward: the tests of feed, auth,
/// messaging and profile cover them.
const SKIPPED: [(&str, &str); 16] = [
    ("AddGroupMembers", "memberIds"),
    ("CreateGroup", "memberIds"),
    ("CreatePost", "pictureAlt"),
    ("CreatePost", "pictures"),
    ("DecideAppeal", "note"),
    ("DecideMember", "note"),
    ("DecideReport", "note"),
    ("NewMessagePicture", "alt"),
    ("NewPasskey", "name"),
    ("NewPicture", "alt"),
    ("SendMessage", "pictures"),
    ("UpdatePost", "pictureAlt"),
    ("UpdatePost", "pictureAlts"),
    ("VerifyMember", "fullName"),
    ("VerifyMember", "reason"),
    ("WithdrawVerification", "reason"),
];

/// The members and entities of the forms.
struct Fixture {
    member: String,
    other: String,
    plain: String,
    article: String,
    comment: String,
    community: String,
    event: String,
    conversation: String,
    message: String,
    third: String,
    group: String,
    job: String,
    application: String,
    now: DateTime<Utc>,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_services_enforce_the_limits_of_the_openapi_document() {
    let data = folder();
    let stack = start(&data, true).await;
    let base = format!("http://{}", stack.address);
    let [mut browser, mut other, mut third] = std::array::from_fn(|_| Browser::new(&*base));
    let now = stack.context("gateway").unwrap().clock.now();
    let fixture = Fixture::create([&mut browser, &mut other, &mut third], now).await;
    let document: Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();

    let forms = forms(&fixture);
    let mut tested = BTreeSet::new();
    for form in &forms {
        for (field, schema) in schemas[form.schema]["properties"].as_object().unwrap() {
            if form.only.is_some_and(|only| only != field) || SKIPPED.contains(&(form.schema, field.as_str())) {
                continue;
            }
            if check_field(&mut browser, form, field, schema).await {
                tested.insert(form.schema);
            }
        }
    }
    let has_limits = |name: &str, schema: &Value| {
        schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .any(|(field, schema)| !limits(schema).is_empty() && !SKIPPED.contains(&(name, field.as_str())))
    };
    let limited: BTreeSet<&str> =
        schemas.iter().filter(|(name, schema)| has_limits(name, schema)).map(|(name, _)| name.as_str()).collect();
    assert_eq!(tested, limited, "every schema with limits has a form");
    stack.stop().await.unwrap();
}

fn limits(field: &Value) -> Vec<&str> {
    ["minLength", "maxLength", "maxItems"].into_iter().filter(|limit| field[limit].is_u64()).collect()
}

/// Sends the values at and beyond the limits of a field. Whether it has limits.
async fn check_field(browser: &mut Browser, form: &Form, field: &str, schema: &Value) -> bool {
    let limit = |name: &str| schema[name].as_u64().map(|limit| usize::try_from(limit).unwrap());
    let without_title = form.only.and(limit("x-max-length-without-title"));
    if let Some(max) = without_title.or(limit("maxLength")) {
        accepted(browser, form, field, text(field, max)).await;
        refused(browser, form, field, field, text(field, max + 1)).await;
    }
    if let Some(min) = limit("minLength") {
        // Not a valid value of the format: a link has more characters than its minimum.
        refused(browser, form, field, field, json!("a".repeat(min - 1))).await;
    }
    if let Some(max) = limit("maxItems") {
        accepted(browser, form, field, entries(form, field, schema, max)).await;
        refused(browser, form, field, field, entries(form, field, schema, max + 1)).await;
        if let Some(each) = schema["items"]["maxLength"].as_u64() {
            let too_long = text(field, usize::try_from(each).unwrap() + 1);
            refused(browser, form, field, &format!("{field}[0]"), json!([too_long])).await;
        }
    }
    !limits(schema).is_empty()
}

async fn send(browser: &mut Browser, form: &Form, field: &str, value: Value) -> Response {
    let mut body = form.body.clone();
    body.pointer_mut(form.object.0).unwrap()[field] = value;
    browser.send(form.method.clone(), &form.path, Some(body), &[]).await
}

/// A conflict or a missing permission does not concern the length.
async fn accepted(browser: &mut Browser, form: &Form, field: &str, value: Value) {
    let response = send(browser, form, field, value).await;
    assert!(
        response.status != 400 && !response.status.is_server_error(),
        "{}.{field} at its limit: {} {}",
        form.schema,
        response.status,
        response.body
    );
}

async fn refused(browser: &mut Browser, form: &Form, field: &str, named: &str, value: Value) {
    let response = send(browser, form, field, value).await;
    let named = format!("{}{named}", form.object.1);
    assert_eq!(response.status, 400, "{}.{field} beyond its limit: {}", form.schema, response.body);
    assert!(response.body["fields"][&named].is_string(), "{}.{field}: {}", form.schema, response.body);
}

/// A text of this many characters, valid for the field.
fn text(field: &str, length: usize) -> Value {
    if field.ends_with("assword") {
        // One character repeated is refused.
        return json!("\u{f1}and\u{fa} ".repeat(length).chars().take(length).collect::<String>());
    }
    let start =
        if ["website", "linkedin", "url", "videoUrl"].contains(&field) { "https://portia.example/" } else { "" };
    let ascii = !start.is_empty() || ["username", "id"].contains(&field);
    let rest = if ascii { "a" } else { "\u{f1}" };
    json!(format!("{start}{}", rest.repeat(length.saturating_sub(start.len()))))
}

/// Entries of a list: different skills of the maximum length, or copies of the entry of the form.
fn entries(form: &Form, field: &str, schema: &Value, count: usize) -> Value {
    let each = schema["items"]["maxLength"].as_u64().map(|each| usize::try_from(each).unwrap());
    let entry = |n: usize| match each {
        Some(each) => json!(format!("{n:03}{}", "\u{f1}".repeat(each - 3))),
        None => form.body[field][0].clone(),
    };
    (0..count).map(entry).collect()
}

impl Fixture {
    async fn create([browser, other, third]: [&mut Browser; 3], now: DateTime<Utc>) -> Self {
        let (member, other_id) = (browser.register("limits").await, other.register("limits.other").await);
        let plain = create(browser, "/api/posts", json!({ "content": "Post" })).await;
        let article = create(browser, "/api/posts", json!({ "content": "Article", "title": "Title" })).await;
        let comment = create(browser, &format!("/api/posts/{plain}/comments"), json!({ "content": "Comment" })).await;
        let community = create(browser, "/api/communities", json!({ "name": "Limits" })).await;
        let event = create(browser, "/api/events", event(now)).await;
        let conversation = create(browser, "/api/conversations", json!({ "userId": other_id })).await;
        let messages = format!("/api/conversations/{conversation}/messages");
        let message = create(browser, &messages, json!({ "content": "Hello" })).await;
        // An answer accepts the request, so that more than one message is allowed.
        create(other, &messages, json!({ "content": "Hello" })).await;
        let third = third.register("limits.third").await;
        let members = json!({ "memberIds": [other_id, third] });
        let group = create(browser, "/api/conversations/groups", members).await;
        let (job, second) = jobs(browser).await;
        let application = create(browser, &format!("/api/jobs/{second}/apply"), json!({})).await;
        let other = other_id;
        Self {
            member,
            other,
            plain,
            article,
            comment,
            community,
            event,
            conversation,
            message,
            third,
            group,
            job,
            application,
            now,
        }
    }
}

async fn create(browser: &mut Browser, path: &str, body: Value) -> String {
    let created = browser.post(path, body).await.expect(201);
    created["id"].as_str().unwrap().to_owned()
}

/// Two demo postings, which appear soon after the start.
async fn jobs(browser: &mut Browser) -> (String, String) {
    let begun = std::time::Instant::now();
    loop {
        let jobs = browser.get("/api/jobs?limit=2").await.expect(200);
        if let [first, second] = jobs.as_array().unwrap().as_slice() {
            let id = |job: &Value| job["id"].as_str().unwrap().to_owned();
            return (id(first), id(second));
        }
        assert!(begun.elapsed().as_secs() < 30, "there is no demo posting");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// An event that starts in an hour.
fn event(now: DateTime<Utc>) -> Value {
    let start = now + TimeDelta::hours(1);
    json!({ "title": "Event", "startDate": start.to_rfc3339(), "timeZone": "Asia/Manila",
            "endDate": (start + TimeDelta::hours(1)).to_rfc3339() })
}

fn forms(fixture: &Fixture) -> Vec<Form> {
    let Fixture {
        member,
        other,
        plain,
        article,
        comment,
        community,
        event: event_id,
        conversation,
        message,
        third,
        group,
        job,
        application,
        now,
    } = fixture;
    let (post, patch, put) = (Method::POST, Method::PATCH, Method::PUT);
    let mute = json!({ "kind": "word", "word": "bar" });
    let content = json!({ "content": "Text" });
    let profile = format!("/api/users/{member}/profile");
    let month = "2026-01";
    let lists = json!({ "skills": [],
        "experiences": [{ "title": "Clerk", "company": "Court", "startDate": month }],
        "education": [{ "institution": "UP", "degree": "J.D.", "startDate": month }] });
    let entry = |schema, object| Form { object, ..form(schema, put.clone(), &profile, lists.clone()) };
    let only_content = |form: Form| Form { only: Some("content"), ..form };
    let endorsements = format!("/api/users/{other}/endorsements");
    // The keys of the example of RFC 8291.
    let subscribe = json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/a",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg", "language": "en", "topics": ["messages"], "browser": "Chrome on Android" });
    let hide = json!({ "skill": "Law", "endorserId": other, "hidden": true });
    vec![
        form("CreatePost", post.clone(), "/api/posts", json!({ "content": "Text", "title": "Title" })),
        only_content(form("CreatePost", post.clone(), "/api/posts", content.clone())),
        form("UpdatePost", patch.clone(), &format!("/api/posts/{article}"), content.clone()),
        only_content(form("UpdatePost", patch.clone(), &format!("/api/posts/{plain}"), content.clone())),
        form("CreateComment", post.clone(), &format!("/api/posts/{plain}/comments"), content.clone()),
        form("UpdateComment", patch.clone(), &format!("/api/comments/{comment}"), content.clone()),
        form("SetPushSubscription", post.clone(), "/api/push/subscriptions", subscribe),
        form("SendMessage", post.clone(), &format!("/api/conversations/{conversation}/messages"), content.clone()),
        form("EditMessage", patch.clone(), &format!("/api/conversations/{conversation}/messages/{message}"), content),
        form("CreateGroup", post.clone(), "/api/conversations/groups", json!({ "memberIds": [other, third] })),
        form("UpdateGroup", patch.clone(), &format!("/api/conversations/{group}/group"), json!({})),
        form("UpdateUser", patch.clone(), &format!("/api/users/{member}"), json!({})),
        form("ReplaceProfile", put.clone(), &profile, lists.clone()),
        entry("ExperienceEntry", ("/experiences/0", "experiences[0].")),
        entry("EducationEntry", ("/education/0", "education[0].")),
        form("EndorseSkill", post.clone(), &endorsements, json!({})),
        form("HideEndorsement", patch.clone(), &format!("/api/users/{member}/endorsements"), hide),
        form("CreateCommunity", post.clone(), "/api/communities", json!({ "name": "Another" })),
        form("UpdateCommunity", patch.clone(), &format!("/api/communities/{community}"), json!({})),
        form("CreateMute", post.clone(), "/api/mutes", mute),
        form("CreateEvent", post.clone(), "/api/events", event(*now)),
        form("UpdateEvent", patch.clone(), &format!("/api/events/{event_id}"), json!({})),
        form("ApplyForJob", post.clone(), &format!("/api/jobs/{job}/apply"), json!({})),
        form("UpdateApplication", patch, &format!("/api/jobs/applications/{application}"), json!({})),
        // An unknown removal is not found, after its text was checked.
        form("NewAppeal", Method::POST, &format!("/api/appeals/{}", fixture.plain), json!({"text": "No."})),
        // An unknown token is refused, after the text was checked.
        form("AppealSuspension", Method::POST, "/api/auth/suspension-appeal", json!({"token": "token", "text": "No."})),
        form(
            "RenamePasskey",
            Method::PATCH,
            &format!("/api/auth/passkeys/{}", fixture.plain),
            json!({"name": "Phone"}),
        ),
        form("PreviewLink", post.clone(), "/api/link-previews", json!({})),
        form("Report", post.clone(), "/api/reports", json!({ "kind": "post", "id": plain, "reason": "spam" })),
        form(
            "SuggestResource",
            post.clone(),
            "/api/resources",
            json!({ "title": "Guide", "url": "https://portia.example/", "type": "guide" }),
        ),
        form(
            "ChangePassword",
            post.clone(),
            "/api/auth/change-password",
            json!({ "currentPassword": "correct horse", "newPassword": "battery staple" }),
        ),
        form(
            "ResetPassword",
            post.clone(),
            "/api/auth/reset-password",
            json!({ "username": "limits.other", "password": "battery staple", "recoveryCode": "AAAA" }),
        ),
        // The last ones sign in as another member.
        form(
            "LoginRequest",
            post.clone(),
            "/api/auth/login",
            json!({ "username": "limits.other", "password": "correct horse" }),
        ),
        form(
            "RegisterRequest",
            post,
            "/api/auth/register",
            json!({ "username": "limits.new", "password": "correct horse", "fullName": "New Member" }),
        ),
    ]
}
