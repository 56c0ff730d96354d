//! The entities that valid requests of the corpus use up. Each request gets new ones.

use std::{collections::BTreeMap, sync::Mutex, time::Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::authenticator::Authenticator;
use crate::{
    browser::Browser,
    matrix::fixture::{Fixture, MAX_DELAY},
};

/// The name of the host under which the stack has passkeys.
pub fn host(fixture: &Fixture) -> String {
    format!("localhost:{}", fixture.stack.address.port())
}

impl Fixture {
    /// Creates the entities that the bases name and keep: members with second factors, posts, a report, a notification.
    pub async fn set_up_for_corpus(&mut self) {
        self.operate(&["moderators", "grant", "matrix.member"]);
        let report = json!({ "kind": "message", "id": "{fileMessage}", "reason": "spam" });
        self.done("other", Method::POST, "/api/reports", report).await;
        self.settle("moderator", "/api/moderation/messages/{fileMessage}/file", 200).await;
        self.name("article", "owner", "/api/posts", json!({ "content": "markpublic", "title": "Title" })).await;
        let picture = self.make("picture", "owner").await;
        let post = json!({ "content": "markpublic", "pictures": [{ "id": picture }] });
        self.name("picturePost", "owner", "/api/posts", post).await;
        let notice = self.entry("owner", "/api/notifications", |_| true).await;
        self.ids.insert("notification", notice["id"].as_str().unwrap().to_owned());
        for (member, username) in [("passkey", "corpus.passkey"), ("reset", "corpus.reset"), ("totp", "corpus.login")] {
            self.register_as(member, username).await;
        }
        for member in ["passkey", "reset"] {
            self.add_passkey(member).await;
        }
        let codes = self.recovery_codes("totp").await;
        let secret = self.done("totp", Method::POST, "/api/auth/totp", json!({})).await;
        self.confirm_totp("totp", secret["secret"].as_str().unwrap()).await;
        self.ids.insert("codes", codes.join(" "));
    }

    async fn register_as(&mut self, member: &'static str, username: &str) {
        let mut browser = Browser::new(self.base());
        let form = json!({ "username": username, "password": "correct horse", "fullName": "New Member" });
        let user = browser.post("/api/auth/register", form).await.expect(201);
        self.ids.insert(member, user["id"].as_str().unwrap().to_owned());
        self.browsers.insert(member, browser);
    }

    /// A new member, signed in.
    pub async fn newcomer(&mut self) {
        let username = format!("corpus.{}", self.next_number());
        self.register_as("newcomer", &username).await;
        self.ids.insert("newcomerName", username);
    }

    /// A new member with an authenticator app, who has just proved to be its owner.
    pub async fn newcomer_with_app(&mut self) {
        self.newcomer().await;
        let code = self.recovery_codes("newcomer").await.remove(0);
        let secret = self.done("newcomer", Method::POST, "/api/auth/totp", json!({})).await;
        self.confirm_totp("newcomer", secret["secret"].as_str().unwrap()).await;
        let proof = json!({ "oneTimeCode": code });
        self.done("newcomer", Method::POST, "/api/auth/reauthenticate", proof).await;
    }

    fn next_number(&mut self) -> usize {
        self.founded += 1;
        self.founded
    }

    /// Replaces `{new:x}` and `{each:x}`.
    pub async fn fill(&mut self, text: &str, caller: &'static str) -> String {
        let mut text = text.to_owned();
        for mark in ["{new:", "{each:"] {
            while let Some(start) = text.find(mark) {
                let end = start + text[start..].find('}').unwrap();
                let name = text[start + mark.len()..end].to_owned();
                let made = self.make(&name, caller).await;
                text.replace_range(start..=end, &made);
            }
        }
        // Made with a newcomer of its own, which a name before it in the text means.
        text.replace("{newcomerName}", self.ids.get("newcomerName").map_or("", String::as_str))
    }

    /// A new entity of a member: its id, or a part of a body.
    async fn make(&mut self, name: &str, caller: &'static str) -> String {
        match name {
            "number" => self.next_number().to_string(),
            "picture" => self.uploaded("/api/pictures", "<png>").await,
            "pdf" => self.uploaded("/api/pdf-files", "<pdf>").await,
            "messagePicture" => self.uploaded("/api/message-pictures", "<png>").await,
            "messageFile" => self.uploaded("/api/message-files", "<pdf>").await,
            "post" => self.create("other", "/api/posts", json!({ "content": "markpublic" })).await,
            "request" => self.create("banned", "/api/connections", json!({ "recipientId": "{other}" })).await,
            "subscription" => {
                let subscribe = json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/b", "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "language": "en", "topics": ["messages"], "browser": "Chrome" });
                self.create("owner", "/api/push/subscriptions", subscribe).await
            }
            "article" => self.article().await,
            "endorser" => {
                let lists = json!({ "experiences": [], "education": [], "skills": ["Law"] });
                self.done("owner", Method::PUT, "/api/users/{owner}/profile", lists).await;
                self.done("other", Method::POST, "/api/users/{owner}/endorsements", json!({ "skill": "Law" })).await;
                self.ids["other"].clone()
            }
            "suspended" => {
                self.newcomer().await;
                self.suspend_newcomer().await;
                self.ids["newcomer"].clone()
            }
            "appealToken" => {
                self.newcomer().await;
                self.appeal_token().await
            }
            "suspensionAppeal" => {
                self.newcomer().await;
                let token = self.appeal_token().await;
                let form = json!({ "token": token, "text": "I did not." });
                Browser::new(self.base()).post("/api/auth/suspension-appeal", form).await.expect(204);
                let of_newcomer = json!(self.ids["newcomer"]);
                let path = "/api/moderation/suspension-appeals?limit=100";
                let entry = self.entry("moderator", path, |entry| entry["userId"] == of_newcomer).await;
                entry["id"].as_str().unwrap().to_owned()
            }
            "member" => {
                self.newcomer().await;
                self.ids["newcomer"].clone()
            }
            "classmate" | "verified" => self.classmate(name == "verified").await,
            "session" => self.other_session("sessions").await,
            "browser" => self.other_session("trusted-browsers").await,
            "report" => self.report().await,
            "removal" => self.removal().await,
            "appeal" => {
                let removal = self.removal().await;
                let path = format!("/api/appeals/{removal}");
                self.done("owner", Method::POST, &path, json!({ "text": "It is true." })).await;
                removal
            }
            "recoveryCode" => {
                self.newcomer().await;
                self.recovery_codes("newcomer").await.remove(0)
            }
            "code" => self.code().await,
            "confirmation" => {
                let secret = self.done("newcomer", Method::POST, "/api/auth/totp", json!({})).await;
                code_of(secret["secret"].as_str().unwrap(), self.now())
            }
            "passkey" => self.add_passkey(caller).await,
            "registration" => self.registration(caller).await.1,
            "signIn" => self.assertion("visitor", "sign-in", "passkey").await,
            "proof" => self.assertion("passkey", "proof", "passkey").await,
            "reset" => self.assertion("visitor", "reset", "reset").await,
            other => panic!("no {other}"),
        }
    }

    /// Returns an article that is shown. The first crawl replaces the demo's articles.
    async fn article(&mut self) -> String {
        let begun = Instant::now();
        loop {
            let news = self.wait("owner", "/api/news", 200).await;
            if let Some(id) = news["articles"][0]["id"].as_str()
                && self.call("owner", Method::GET, &format!("/api/news/{id}"), Value::Null).await.0 == 200
            {
                return id.to_owned();
            }
            assert!(begun.elapsed() < MAX_DELAY, "no article is shown: {news}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    async fn uploaded(&mut self, path: &str, file: &str) -> String {
        let response = self.request(Some("owner"), Method::POST, path, file).await;
        assert_eq!(response.status, 201, "{path}: {}", response.text);
        serde_json::from_str::<Value>(&response.text).unwrap()["id"].as_str().unwrap().to_owned()
    }

    async fn classmate(&mut self, is_verified: bool) -> String {
        self.newcomer().await;
        let school = json!({ "school": "Ateneo Law" });
        self.done("newcomer", Method::PATCH, "/api/users/{newcomer}", school).await;
        if is_verified {
            let form = json!({ "fullName": "New Member", "reason": "Met in class." });
            self.done("owner", Method::POST, "/api/school/members/{newcomer}/verify", form).await;
        }
        self.ids["newcomer"].clone()
    }

    /// Another session of the newcomer, or its browser.
    async fn other_session(&mut self, list: &str) -> String {
        let form = json!({ "username": self.ids["newcomerName"], "password": "correct horse" });
        Browser::new(self.base()).post("/api/auth/login", form).await.expect(200);
        let entry = self.entry("newcomer", &format!("/api/auth/{list}"), |entry| entry["current"] == false).await;
        entry["id"].as_str().unwrap().to_owned()
    }

    /// Suspends as a different moderator than the one who decides afterwards.
    async fn suspend_newcomer(&mut self) {
        let path = "/api/moderation/members/{newcomer}/suspend";
        self.done("member", Method::POST, path, json!({ "reason": "spam" })).await;
    }

    /// The token of a sign-in of the newcomer after a suspension.
    async fn appeal_token(&mut self) -> String {
        self.suspend_newcomer().await;
        let form = json!({ "username": self.ids["newcomerName"], "password": "correct horse" });
        let refused = Browser::new(self.base()).post("/api/auth/login", form).await.expect(403);
        refused["appeal"]["token"].as_str().unwrap().to_owned()
    }

    /// A report of a new post.
    async fn report(&mut self) -> String {
        let post = self.create("owner", "/api/posts", json!({ "content": "markremoved" })).await;
        let report = json!({ "kind": "post", "id": post, "reason": "spam" });
        self.done("other", Method::POST, "/api/reports", report).await;
        let is_of_post = |entry: &Value| entry["item"]["id"] == json!(post) || entry.to_string().contains(&post);
        let entry = self.entry("moderator", "/api/moderation/reports?limit=100", is_of_post).await;
        entry["id"].as_str().unwrap().to_owned()
    }

    /// A new removal of a post of the owner, decided by another moderator than the one of the appeal.
    async fn removal(&mut self) -> String {
        let known: Vec<String> = self.removals().await;
        let report = self.report().await;
        let path = format!("/api/moderation/reports/{report}/decision");
        self.done("member", Method::POST, &path, json!({ "decision": "remove", "reason": "spam" })).await;
        let begun = Instant::now();
        loop {
            if let Some(new) = self.removals().await.into_iter().find(|removal| !known.contains(removal)) {
                return new;
            }
            assert!(begun.elapsed() < MAX_DELAY, "the author is not told");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn removals(&mut self) -> Vec<String> {
        let notices = self.wait("owner", "/api/notifications?limit=100", 200).await;
        let notices = notices.as_array().unwrap().iter().filter(|entry| entry["kind"] == "content_removed");
        notices.filter_map(|entry| entry["subject"]["id"].as_str().map(str::to_owned)).collect()
    }

    async fn recovery_codes(&mut self, who: &'static str) -> Vec<String> {
        let codes = self.done(who, Method::POST, "/api/auth/recovery-codes", json!({})).await;
        codes["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect()
    }

    /// A second factor of the member with an app: one of the recovery codes, which are renewed when they are used up.
    async fn code(&mut self) -> String {
        let codes = self.ids["codes"].clone();
        let (code, rest) = codes.split_once(' ').unwrap_or((&codes, ""));
        let code = code.to_owned();
        if rest.is_empty() {
            self.renew_codes().await;
            return Box::pin(self.code()).await;
        }
        self.ids.insert("codes", rest.to_owned());
        code
    }

    /// Replaces the recovery codes, which ends the earlier ones.
    pub async fn renew_codes(&mut self) {
        let form = json!({ "oneTimeCode": self.ids["codes"].split(' ').next() });
        self.done("totp", Method::POST, "/api/auth/reauthenticate", form).await;
        let codes = self.recovery_codes("totp").await;
        self.ids.insert("codes", codes.join(" "));
    }

    fn now(&self) -> i64 {
        self.stack.context("gateway").unwrap().clock.now().timestamp()
    }

    async fn confirm_totp(&mut self, who: &'static str, secret: &str) {
        let form = json!({ "oneTimeCode": code_of(secret, self.now()) });
        self.done(who, Method::POST, "/api/auth/totp/confirm", form).await;
    }

    /// The authenticator of the host.
    fn authenticator(&self) -> Authenticator {
        let mut authenticator = Authenticator::new();
        "localhost".clone_into(&mut authenticator.relying_party);
        authenticator.origin = format!("http://{}", host(self));
        authenticator
    }

    /// The challenge of a ceremony at the host that has passkeys.
    async fn challenge(&mut self, who: &'static str, path: &str) -> Value {
        let base = format!("http://{}", host(self));
        let response = self.browsers[who].at(base).send(Method::POST, path, None, &[]).await;
        response.expect(201)
    }

    async fn registration(&mut self, who: &'static str) -> (Authenticator, String) {
        let challenge = self.challenge(who, "/api/auth/passkeys/options").await;
        let mut authenticator = self.authenticator();
        let credential = authenticator.create(&challenge["options"].to_string());
        let ceremony = &challenge["ceremony"];
        (authenticator, format!(r#""ceremony":{ceremony},"credential":{credential}"#))
    }

    /// A passkey of a member, which later assertions use; its id.
    async fn add_passkey(&mut self, who: &'static str) -> String {
        let (authenticator, part) = self.registration(who).await;
        let form: Value = serde_json::from_str(&format!(r#"{{"name":"Phone",{part}}}"#)).unwrap();
        let base = format!("http://{}", host(self));
        let created = self.browsers[who].at(base).post("/api/auth/passkeys", form).await.expect(201);
        AUTHENTICATORS.lock().unwrap().insert(who, authenticator);
        created["id"].as_str().unwrap().to_owned()
    }

    /// An answer of the authenticator of a member.
    async fn assertion(&mut self, who: &'static str, ceremony: &str, member: &'static str) -> String {
        let challenge = self.challenge(who, &format!("/api/auth/passkeys/{ceremony}/options")).await;
        let options = challenge["options"].to_string();
        let credential = AUTHENTICATORS.lock().unwrap()[member].assert(&options);
        format!(r#""ceremony":{},"credential":{credential}"#, challenge["ceremony"])
    }
}

/// The authenticators of members.
static AUTHENTICATORS: Mutex<BTreeMap<&'static str, Authenticator>> = Mutex::new(BTreeMap::new());

/// The bytes of a picture.
pub fn picture(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

/// The code that an app shows at this second.
fn code_of(secret: &str, second: i64) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(second.unsigned_abs()).to_string()
}
