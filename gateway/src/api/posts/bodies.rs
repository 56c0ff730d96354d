//! The bodies of posts, which every visitor sees. Memory keeps one version of each, mostly as JSON (post_json.rs).
//!
//! feed says with each request which version the caller is shown, so no messages about changes are needed.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use moka::sync::Cache;
use portia_proto::feed::{self as pb, BatchGetPostBodiesRequest, GetPostRequest};
use prost::Message as _;
use rpc::Call;
use uuid::Uuid;

use crate::{
    api::{
        members::cache::MemberCards,
        posts::{
            post_json::Template,
            views::{Post, people_of},
        },
    },
    edge::{answer::JsonText, problem::Problem, signed_addresses::AddressSigner, upstreams::Clients},
};

/// The most memory for bodies: some 4,000 posts with twenty reactions.
const MAX_BYTES: u64 = 32 << 20;
/// The longest use of a body, in addition to that in feed: see there.
const MAX_AGE: Duration = Duration::from_secs(300);
/// Reactions in a post.
const MAX_REACTIONS: usize = 20;

/// The label of the metrics.
const CACHE: &str = "post_bodies";

/// A body.
pub struct Body {
    /// The post as a visitor sees it.
    post: pb::Post,
    /// It was shown once. Most bodies of later pages are not shown again, and need no template.
    is_shown: AtomicBool,
    /// Its JSON; `None` for a post whose JSON depends on the time, or on more than the cards of its members.
    template: OnceLock<Option<Template>>,
    people: Vec<String>,
}

impl Body {
    /// A body from a message of feed.
    fn of(post: pb::Post) -> Self {
        let people = people_of(&post).map(str::to_owned).collect();
        Self { is_shown: AtomicBool::new(false), template: OnceLock::new(), people, post }
    }

    /// The JSON, from the second time on.
    fn template(&self, addresses: AddressSigner<'_>) -> Option<&Template> {
        if !self.is_shown.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.template.get_or_init(|| Template::of(&self.post, addresses)).as_ref()
    }

    fn bytes(&self) -> usize {
        // A message in memory takes about three times its encoding, its JSON twice.
        size_of::<Self>() + 5 * self.post.encoded_len() + self.people.len() * 64
    }
}

/// A post of a response.
pub enum ShownPost {
    /// Complete.
    Whole(pb::Post),
    /// A body, and what the caller is shown besides.
    WithBody {
        /// The parts of the caller.
        own: pb::Post,
        /// The rest.
        body: Arc<Body>,
    },
}

impl ShownPost {
    /// The members whose cards it contains.
    pub fn people(&self) -> Box<dyn Iterator<Item = &str> + Send + '_> {
        match self {
            Self::Whole(post) => Box::new(people_of(post)),
            Self::WithBody { body, .. } => Box::new(body.people.iter().map(String::as_str)),
        }
    }

    /// The post in one message.
    fn into_message(self) -> pb::Post {
        match self {
            Self::Whole(post) => post,
            Self::WithBody { own, body } => with_own(&body.post, own),
        }
    }
}

/// A body with the parts of the caller: the name of the community, and the reactions of the caller, to the post in the first place.
fn with_own(body: &pb::Post, own: pb::Post) -> pb::Post {
    let mut post = pb::Post { version: Vec::new(), community: own.community, ..body.clone() };
    if let Some(mine) = own.reactions.into_iter().next() {
        post.reactions.retain(|reaction| reaction.member_id != mine.member_id);
        post.reactions.insert(0, mine);
        post.reactions.truncate(MAX_REACTIONS);
    }
    for reacted in own.comments {
        if let Some(comment) = post.comments.iter_mut().find(|comment| comment.id == reacted.id) {
            comment.reactions = reacted.reactions;
        }
    }
    post
}

/// The key of a body: the post, and whether it has the whole text of an article. Lists show the beginning.
type Key = (Uuid, bool);

/// The cache. Clones share it.
#[derive(Clone)]
pub struct PostBodies {
    clients: Clients,
    bodies: Cache<Key, Arc<Body>>,
}

impl PostBodies {
    /// An empty cache.
    pub fn new(clients: Clients) -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let weigher = |_: &Key, body: &Arc<Body>| u32::try_from(body.bytes()).unwrap_or(u32::MAX);
        let bodies = Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE).build();
        Self { clients, bodies }
    }

    /// Returns the posts of a page with their bodies. One call reads the bodies that are neither in memory nor in the
    /// page. Shows a post as it is now, even if it was listed differently, and omits a post that the caller may not see
    /// anymore.
    ///
    /// # Errors
    /// The error of feed.
    pub async fn complete(
        &self,
        call: &Call,
        listed: Vec<pb::Post>,
        bodies: Vec<pb::Post>,
    ) -> Result<Vec<ShownPost>, Problem> {
        let read: HashMap<String, Arc<Body>> = bodies.into_iter().map(|body| self.keep(body, false)).collect();
        // One look into the memory: a body may leave it during the call.
        let found: Vec<(pb::Post, Option<Arc<Body>>)> = listed
            .into_iter()
            .map(|own| {
                let body = read.get(&own.id).cloned().or_else(|| self.bodies.get(&(own.id.parse().ok()?, false)));
                let body = body.filter(|body| body.post.version == own.version);
                (own, body)
            })
            .collect();
        let missing = found.iter().filter(|(own, body)| body.is_none() && !own.version.is_empty());
        let missing: Vec<String> = missing.map(|(own, _)| own.id.clone()).collect();
        let found_count = found.iter().filter(|(_, body)| body.is_some()).count();
        telemetry::cache_requests(CACHE, found_count.saturating_sub(read.len()), missing.len() + read.len());
        let mut read = if missing.is_empty() { HashMap::new() } else { self.read(call, missing).await? };
        let shown = found.into_iter().filter_map(|(own, body)| match body {
            Some(body) => Some(ShownPost::WithBody { own, body }),
            None if own.version.is_empty() => Some(ShownPost::Whole(own)),
            None => read.remove(&own.id),
        });
        Ok(shown.collect())
    }

    /// A post, with the whole text of an article.
    ///
    /// # Errors
    /// The error of feed.
    pub async fn single(&self, call: &Call, id: Uuid) -> Result<ShownPost, Problem> {
        let listed = || self.bodies.get(&(id, false)).filter(|body| body.post.title.is_none());
        let kept = self.bodies.get(&(id, true)).or_else(listed);
        let known_version = Some(kept.as_ref().map(|body| body.post.version.clone()).unwrap_or_default());
        let request = GetPostRequest { post_id: id.to_string(), known_version };
        let answer = self.clients.feed().get_post(call.request(request)?).await?.into_inner();
        let own = answer.post.ok_or(Problem::internal())?;
        if own.version.is_empty() {
            return Ok(ShownPost::Whole(own));
        }
        telemetry::cache_requests(CACHE, usize::from(answer.body.is_none()), usize::from(answer.body.is_some()));
        let body = match answer.body {
            Some(body) => self.keep(body, true).1,
            None => kept.ok_or(Problem::internal())?,
        };
        Ok(ShownPost::WithBody { own, body })
    }

    /// Keeps a body from a message of feed.
    fn keep(&self, post: pb::Post, is_whole: bool) -> (String, Arc<Body>) {
        let id = post.id.clone();
        let is_whole = is_whole && post.title.is_some();
        let body = Arc::new(Body::of(post));
        if let Ok(key) = id.parse() {
            self.bodies.insert((key, is_whole), Arc::clone(&body));
        }
        (id, body)
    }

    /// Posts as they are now, and their bodies.
    async fn read(&self, call: &Call, post_ids: Vec<String>) -> Result<HashMap<String, ShownPost>, Problem> {
        let request = BatchGetPostBodiesRequest { post_ids };
        let answer = self.clients.feed().batch_get_post_bodies(call.request(request)?).await?.into_inner();
        let bodies: HashMap<String, Arc<Body>> = answer.bodies.into_iter().map(|body| self.keep(body, false)).collect();
        let posts = answer.posts.into_iter().filter_map(|own| {
            let id = own.id.clone();
            if own.version.is_empty() {
                return Some((id, ShownPost::Whole(own)));
            }
            let body = bodies.get(&id).filter(|body| body.post.version == own.version)?;
            Some((id, ShownPost::WithBody { own, body: Arc::clone(body) }))
        });
        Ok(posts.collect())
    }
}

/// The JSON of a post.
///
/// # Errors
/// 500; never, because all views are serializable.
pub fn json(post: ShownPost, people: &MemberCards, addresses: AddressSigner<'_>) -> Result<JsonText, Problem> {
    let mut json = Vec::with_capacity(8 << 10);
    write(post, people, addresses, &mut json).map_err(|_| Problem::internal())?;
    Ok(JsonText(json))
}

/// The JSON of a list.
///
/// # Errors
/// 500; never, because all views are serializable.
pub fn list(posts: Vec<ShownPost>, people: &MemberCards, addresses: AddressSigner<'_>) -> Result<JsonText, Problem> {
    let mut json = Vec::with_capacity(64 << 10);
    json.push(b'[');
    for (n, post) in posts.into_iter().enumerate() {
        if n > 0 {
            json.push(b',');
        }
        write(post, people, addresses, &mut json).map_err(|_| Problem::internal())?;
    }
    json.push(b']');
    Ok(JsonText(json))
}

fn write(
    post: ShownPost,
    people: &MemberCards,
    addresses: AddressSigner<'_>,
    json: &mut Vec<u8>,
) -> serde_json::Result<()> {
    if let ShownPost::WithBody { own, body } = &post
        && own.comments.is_empty()
        && let Some(template) = body.template(addresses)
    {
        return template.write(own.reactions.first(), people, json);
    }
    serde_json::to_writer(json, &Post::of(post.into_message(), people, addresses))
}
