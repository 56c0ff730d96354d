//! The first pages of the comments on posts, kept in memory for one version, mostly as JSON (json_parts.rs).
//!
//! feed says with each request which version the caller is shown, so no messages about changes are needed.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use portia_proto::feed::{self as pb, ListCommentsRequest};
use prost::Message as _;
use rpc::Call;
use uuid::Uuid;

use crate::{
    api::{
        members::cache::MemberCards,
        posts::{comment_views::Comment, json_parts::JsonParts, like_views::Like, mentions},
    },
    edge::{answer::JsonText, extract::Paging, problem::Problem, upstreams::Clients},
};

/// The most memory for pages: some 1,500 of twenty comments.
const MAX_BYTES: u64 = 16 << 20;
/// The longest use of a page, in addition to that in feed: see there.
const MAX_AGE: Duration = Duration::from_secs(300);

/// The label of the metrics.
const CACHE: &str = "comment_pages";

/// A first page, as a visitor is shown it.
struct CommentPage {
    version: Vec<u8>,
    comments: Vec<StoredComment>,
    people: Vec<String>,
    next_page_token: String,
}

enum StoredComment {
    Json(JsonParts),
    /// The JSON of a text with names depends on more than the cards.
    Message(Box<pb::Comment>),
}

impl CommentPage {
    fn of(answer: pb::ListCommentsResponse) -> Self {
        let people = answer.comments.iter().flat_map(Comment::members).map(str::to_owned).collect();
        let comments = answer.comments.into_iter().map(StoredComment::of).collect();
        Self { version: answer.version, comments, people, next_page_token: answer.next_page_token }
    }

    fn bytes(&self) -> usize {
        let comments = self.comments.iter().map(|comment| match comment {
            StoredComment::Json(parts) => parts.bytes(),
            // A message in memory takes about three times its encoding.
            StoredComment::Message(comment) => 3 * comment.encoded_len(),
        });
        size_of::<Self>() + comments.sum::<usize>() + self.people.len() * 64
    }
}

impl StoredComment {
    fn of(comment: pb::Comment) -> Self {
        let is_plain = mentions::members_in(&comment.content).next().is_none();
        let json = || serde_json::to_string(&Comment::of(comment.clone(), &MemberCards::default())).ok();
        match is_plain.then(json).flatten().and_then(|json| JsonParts::of(&comment.id, &json)) {
            Some(parts) => Self::Json(parts),
            None => Self::Message(Box::new(comment)),
        }
    }
}

/// A page of a response: complete, or one that is kept with the comments to which the caller reacted.
pub struct ShownComments(Shown);

enum Shown {
    Complete { comments: Vec<pb::Comment>, next_page_token: String },
    Stored { page: Arc<CommentPage>, reacted: Vec<pb::Comment> },
}

impl ShownComments {
    /// The members whose cards it contains.
    pub fn people(&self) -> Box<dyn Iterator<Item = &str> + Send + '_> {
        match &self.0 {
            Shown::Complete { comments, .. } => Box::new(comments.iter().flat_map(Comment::members)),
            Shown::Stored { page, .. } => Box::new(page.people.iter().map(String::as_str)),
        }
    }

    /// Empty on the last page.
    pub fn next_page_token(&self) -> &str {
        match &self.0 {
            Shown::Complete { next_page_token, .. } => next_page_token,
            Shown::Stored { page, .. } => &page.next_page_token,
        }
    }

    /// The JSON of the comments.
    ///
    /// # Errors
    /// 500; never, because all views are serializable.
    pub fn json(&self, people: &MemberCards) -> Result<JsonText, Problem> {
        let mut json = Vec::with_capacity(16 << 10);
        self.write(people, &mut json).map_err(|_| Problem::internal())?;
        Ok(JsonText(json))
    }

    fn write(&self, people: &MemberCards, json: &mut Vec<u8>) -> serde_json::Result<()> {
        let (page, reacted) = match &self.0 {
            Shown::Complete { comments, .. } => {
                let comments = comments.iter().map(|comment| Comment::of(comment.clone(), people));
                return serde_json::to_writer(json, &comments.collect::<Vec<_>>());
            }
            Shown::Stored { page, reacted } => (page, reacted),
        };
        let own = |id: &str| {
            let reacted = reacted.iter().find(|reacted| reacted.id == id);
            reacted.map(|reacted| reacted.reactions.as_slice()).unwrap_or_default()
        };
        let likes = |id: &str, json: &mut Vec<u8>| match own(id).first() {
            Some(reaction) => serde_json::to_writer(json, &Like::from(reaction.clone())),
            None => Ok(()),
        };
        json.push(b'[');
        for (n, comment) in page.comments.iter().enumerate() {
            if n > 0 {
                json.push(b',');
            }
            match comment {
                StoredComment::Json(parts) => parts.write(people, json, likes)?,
                StoredComment::Message(comment) => {
                    let comment = pb::Comment { reactions: own(&comment.id).to_vec(), ..(**comment).clone() };
                    serde_json::to_writer(&mut *json, &Comment::of(comment, people))?;
                }
            }
        }
        json.push(b']');
        Ok(())
    }
}

/// The cache. Clones share it.
#[derive(Clone)]
pub struct CommentPages {
    clients: Clients,
    pages: Cache<(Uuid, i32), Arc<CommentPage>>,
}

impl CommentPages {
    /// An empty cache.
    pub fn new(clients: Clients) -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let weigher = |_: &(Uuid, i32), page: &Arc<CommentPage>| u32::try_from(page.bytes()).unwrap_or(u32::MAX);
        let pages = Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE).build();
        Self { clients, pages }
    }

    /// A page of the comments on a post.
    ///
    /// # Errors
    /// The error of feed.
    pub async fn list(&self, call: &Call, post_id: Uuid, paging: Paging) -> Result<ShownComments, Problem> {
        let key = (post_id, paging.limit);
        let is_first = paging.cursor.is_empty();
        let kept = is_first.then(|| self.pages.get(&key)).flatten();
        let known_version = is_first.then(|| kept.as_ref().map(|page| page.version.clone()).unwrap_or_default());
        let request = ListCommentsRequest {
            post_id: post_id.to_string(),
            page_size: paging.limit,
            page_token: paging.cursor,
            known_version,
        };
        let mut answer = self.clients.feed().list_comments(call.request(request)?).await?.into_inner();
        if answer.version.is_empty() {
            let pb::ListCommentsResponse { comments, next_page_token, .. } = answer;
            return Ok(ShownComments(Shown::Complete { comments, next_page_token }));
        }
        let reacted = std::mem::take(&mut answer.reacted);
        let kept = kept.filter(|page| page.version == answer.version);
        telemetry::cache_requests(CACHE, usize::from(kept.is_some()), usize::from(kept.is_none()));
        let page = kept.unwrap_or_else(|| {
            let page = Arc::new(CommentPage::of(answer));
            self.pages.insert(key, Arc::clone(&page));
            page
        });
        Ok(ShownComments(Shown::Stored { page, reacted }))
    }
}
