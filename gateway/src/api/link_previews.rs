//! Link previews: title, description, picture and canonical URL of a page, as meta tags in its HTML.
//!
//! Only for visitors, because services that fetch previews are visitors. The client of a member writes its own tags,
//! and a member may not be allowed to see the page (blocks).

use std::{sync::Arc, time::Duration};

use axum::extract::FromRequestParts as _;
use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use http::{Method, request::Parts};
use moka::sync::Cache;
use portia_proto::{
    jobs::GetJobRequest, news::GetArticleRequest, profile::GetMemberRequest, social_graph::GetEventRequest,
};
use primitives::{
    error::{ErrorKind, StatusDetails},
    ids,
};
use rpc::Call;
use tokio::time::timeout;
use tonic::Status;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::edge::{
    authentication::Authentication,
    limits::{Client, Limits, VISITOR_READS},
    link_previews::{Preview, plain},
    origin::{PublicOrigin, RequestOrigin},
    upstreams::Clients,
};

/// The timeout of a page for its tags.
const TAGS_TIMEOUT: Duration = Duration::from_millis(200);
/// The timeout of the call. A later request uses the result when the first one did not wait for it.
const CALL_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum age of a preview.
const MAX_AGE: Duration = Duration::from_secs(60);
/// The maximum of cached previews, of some 1,000 bytes each.
const PAGES: u64 = 5_000;
/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 200;

/// The previews of recent and running requests. Clones share them.
#[derive(Clone)]
pub struct LinkPreviews {
    pages: Cache<Subject, SharedPreview>,
    clients: Clients,
    authentication: Authentication,
    limits: Limits,
    origin: PublicOrigin,
}

/// One shared call per page. `None`: the page is not public, or the call failed.
type SharedPreview = Shared<BoxFuture<'static, Option<Arc<Preview>>>>;

impl LinkPreviews {
    /// An empty cache of previews.
    pub fn new(clients: Clients, authentication: Authentication, limits: Limits, origin: PublicOrigin) -> Self {
        let pages = Cache::builder().max_capacity(PAGES).time_to_live(MAX_AGE).build();
        Self { pages, clients, authentication, limits, origin }
    }

    /// Drops the preview of a member, also a running one.
    pub fn forget(&self, member: &str) {
        if let Ok(id) = ids::parse("id", member) {
            self.pages.invalidate(&Subject { kind: Page::Member, id });
        }
    }

    /// Drops every preview.
    pub fn forget_all(&self) {
        self.pages.invalidate_all();
    }

    fn ask(&self, call: Call, subject: Subject) -> SharedPreview {
        self.pages.get_with(subject, || {
            let (pages, services) = (self.pages.clone(), self.clients.clone());
            let work = async move {
                subject.preview(&services, &call).await.unwrap_or_else(|status| {
                    tracing::warn!(code = ?status.code(), "a page is served without its preview");
                    pages.invalidate(&subject);
                    None
                })
            };
            // Continues without waiting requests: the next one uses the result.
            tokio::spawn(work.in_current_span()).map(|preview| preview.ok().flatten().map(Arc::new)).boxed().shared()
        })
    }

    /// The meta tags of a page for a visitor.
    pub async fn tags(&self, parts: &mut Parts) -> PageTags {
        let html = self.rendered(parts).await;
        let is_member = Subject::of(parts.uri.path()).is_some_and(|subject| subject.kind == Page::Member);
        PageTags { noindex: is_member && html.is_none(), html: html.unwrap_or_default() }
    }

    async fn rendered(&self, parts: &mut Parts) -> Option<String> {
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        let subject = Subject::of(parts.uri.path()).filter(|_| reads)?;
        if self.authentication.cookies.sent_in(&parts.headers) {
            return None;
        }
        let RequestOrigin(origin) = RequestOrigin::from_request_parts(parts, &self.origin).await.ok()?;
        let preview = match self.pages.get(&subject) {
            Some(preview) => preview,
            None => {
                let client = Client::from_request_parts(parts, &self.limits).await.ok()?;
                self.limits.take(VISITOR_READS, &client.key()).await.ok()?;
                self.ask(self.authentication.service_call(CALL_TIMEOUT), subject)
            }
        };
        let preview = timeout(TAGS_TIMEOUT, preview).await.ok().flatten()?;
        Some(preview.tags(&origin))
    }
}

/// The tags of a page.
pub struct PageTags {
    /// Empty when the page has none, or when they are not ready in time.
    pub html: String,
    /// Search engines must not index the page: a profile without a preview may be one whose owner forbids it.
    pub noindex: bool,
}

/// The entity of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Subject {
    kind: Page,
    id: Uuid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Page {
    Member,
    Job,
    Article,
    Event,
}

impl Subject {
    fn of(path: &str) -> Option<Self> {
        let path = path.strip_prefix('/')?;
        let (screen, id) = path.strip_suffix('/').unwrap_or(path).split_once('/')?;
        let kind = match screen {
            "profile" => Page::Member,
            "jobs" => Page::Job,
            "legal-news" => Page::Article,
            "events" => Page::Event,
            _ => return None,
        };
        Some(Self { kind, id: ids::parse("id", id).ok()? })
    }

    /// The preview that the owner shows to visitors; `None` if the entity is not public.
    async fn preview(self, services: &Clients, call: &Call) -> Result<Option<Preview>, Status> {
        match self.ask(services, call).await {
            Err(status) if StatusDetails::from(&status).kind == ErrorKind::NotFound => Ok(None),
            preview => preview,
        }
    }

    async fn ask(self, services: &Clients, call: &Call) -> Result<Option<Preview>, Status> {
        let id = self.id.to_string();
        Ok(match self.kind {
            Page::Member => {
                let request = call.request(GetMemberRequest { member_id: id, ..Default::default() })?;
                let member = services.profile().get_member(request).await?.into_inner().member;
                // Previews show what search engines may.
                member
                    .filter(|member| member.indexable)
                    .map(|member| Preview { picture: member.avatar_url, ..self.named(&member.full_name, None) })
            }
            Page::Job => {
                let request = call.request(GetJobRequest { job_id: id })?;
                let job = services.jobs().get_job(request).await?.into_inner().job;
                job.map(|job| self.named(&format!("{}, {}", job.title, job.company), Some(&job.description)))
            }
            Page::Article => {
                let request = call.request(GetArticleRequest { article_id: id })?;
                let article = services.news().get_article(request).await?.into_inner().article;
                article.map(|article| self.named(&article.title, article.description.as_deref()))
            }
            Page::Event => {
                let request = call.request(GetEventRequest { event_id: id })?;
                let event = services.graph().get_event(request).await?.into_inner().event;
                event.map(|event| self.named(&event.title, None))
            }
        })
    }

    /// The texts of the client (`meta.json`): the text of the entity, else the preset of its kind.
    fn named(self, name: &str, about: Option<&str>) -> Preview {
        let (screen, og_type, preset) = match self.kind {
            Page::Member => {
                let preset = " on Portia, the professional network for law students and legal professionals.";
                ("profile", "profile", preset)
            }
            Page::Job => ("jobs", "website", ", a position for law students and legal professionals on Portia."),
            Page::Article => ("legal-news", "article", ", in the legal news on Portia."),
            Page::Event => ("events", "website", ", an event for law students and legal professionals on Portia."),
        };
        let name = plain(name);
        let about = about.map(|about| plain(&about.chars().take(MAX_DESCRIPTION).collect::<String>()));
        Preview {
            path: format!("/{screen}/{}", self.id),
            title: format!("{name} | Portia"),
            description: about.filter(|about| !about.is_empty()).unwrap_or_else(|| format!("{name}{preset}")),
            og_type,
            picture: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn subject(kind: Page) -> Subject {
        Subject { kind, id: Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0007) }
    }

    #[test]
    fn four_screens_have_previews_and_only_with_an_id() {
        let id = subject(Page::Member).id;
        for (screen, kind) in
            [("profile", Page::Member), ("jobs", Page::Job), ("legal-news", Page::Article), ("events", Page::Event)]
        {
            assert_eq!(Subject::of(&format!("/{screen}/{id}")), Some(subject(kind)));
            assert_eq!(Subject::of(&format!("/{screen}/{id}/")), Some(subject(kind)));
        }
        for none in ["/", "/profile", "/profile/", "/profile/ana", "/posts/x", "/jobs/../x", "/profile/%00"] {
            assert_eq!(Subject::of(none), None, "{none}");
        }
        assert_eq!(Subject::of(&format!("/messages/{id}")), None);
        assert_eq!(Subject::of(&format!("/profile/{id}/x")), None);
    }

    #[test]
    fn the_texts_are_the_clients_own() {
        let texts = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/src/locales/en/meta.json");
        let texts: Value = serde_json::from_str(&std::fs::read_to_string(texts).unwrap()).unwrap();
        for (kind, page) in
            [(Page::Member, "profile"), (Page::Job, "job"), (Page::Article, "article"), (Page::Event, "event")]
        {
            let of_client = |text: &str| texts[page][text].as_str().unwrap().replace("{{name}}", "Ana Reyes");
            let preview = subject(kind).named("Ana Reyes", None);
            assert_eq!((preview.title, preview.description), (of_client("title"), of_client("description")));
        }
    }

    #[test]
    fn a_description_is_the_text_of_the_entity_cut_at_the_limit() {
        let preview = |about: &str| subject(Page::Job).named("Clerk, Court", Some(about)).description;
        assert_eq!(preview("Drafting."), "Drafting.");
        assert_eq!(preview(""), "Clerk, Court, a position for law students and legal professionals on Portia.");
        assert_eq!(preview(&"ä".repeat(500)), "ä".repeat(200));
    }

    #[test]
    fn a_text_cannot_end_a_tag_or_change_the_text_direction() {
        let preview = Preview {
            picture: Some("javascript:alert(1)".to_owned()),
            ..subject(Page::Article).named("</title><script>\u{202e}\u{0}", Some("\" onload=\"x\u{2067}\n&"))
        };
        let tags = preview.tags("https://portia.example");
        assert!(tags.starts_with("<title data-preview>&lt;/title&gt;&lt;script&gt; | Portia</title>"), "{tags}");
        assert!(tags.contains("content=\"&quot; onload=&quot;x\n&amp;\""), "{tags}");
        assert!(tags.contains("og:image\" content=\"https://portia.example/brand/portia-icon.png\""), "{tags}");
    }
}
