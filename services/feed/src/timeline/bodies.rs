//! Keeps the bodies of posts in memory: a body is a listed post as a visitor sees it, in one version (versions.rs). A
//! viewer gets the body with the viewer's columns of the list.
//!
//! Replicas need no messages: the list states the version, and a body of another version is read again.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    batch, lists,
    rows::{self, MAX_REACTIONS},
    versions::{ListedPost, Version},
};
use crate::{
    comments::own_reaction,
    media::PostPdf,
    mentions::members_in,
    pictures::PostPicture,
    posts::{Post, Repost},
    reactions::Reaction,
    read_model::blocks,
    sql::MAX_AGE_OF_VERSION,
};

/// The most memory for bodies: some 8,000 posts.
const MAX_BYTES: u64 = 24 << 20;

/// The label of the metrics.
const CACHE: &str = "post_bodies";

/// The length of an article's text in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextLength {
    /// The excerpt.
    Listed,
    /// The whole text.
    Whole,
}

/// A body.
pub struct Body {
    version: Version,
    /// As a visitor is shown it.
    post: Post,
}

impl Body {
    /// As a visitor is shown it.
    pub fn post(&self) -> &Post {
        &self.post
    }

    /// Returns the version of [`Self::post`].
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns whether one of the members contributed to the post or is mentioned in it. A viewer in a block with this
    /// member needs another body.
    pub fn names(&self, members: &HashSet<Uuid>) -> bool {
        if members.is_empty() {
            return false;
        }
        let comments = self.post.comments.iter().map(|comment| &comment.content);
        let original = match &self.post.repost {
            Some(Repost::Of(original)) => Some(&original.content),
            Some(Repost::Unavailable) | None => None,
        };
        let mut texts = [&self.post.content].into_iter().chain(comments).chain(original);
        members_of(&self.post).any(|member| members.contains(&member))
            || texts.any(|text| members_in(text).iter().any(|mentioned| members.contains(mentioned)))
    }
}

/// The cache. Clones share it.
#[derive(Clone)]
pub struct PostBodies {
    bodies: Cache<(Uuid, TextLength), Arc<Body>>,
}

impl Default for PostBodies {
    fn default() -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let weigher = |_: &(Uuid, TextLength), body: &Arc<Body>| u32::try_from(bytes(&body.post)).unwrap_or(u32::MAX);
        Self {
            bodies: Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE_OF_VERSION).build(),
        }
    }
}

impl PostBodies {
    /// Returns the posts of a page for the viewer, in order. A post that changed since the page was listed is returned
    /// as it is now, or left out if the viewer may no longer see it.
    pub async fn posts(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        listed: Vec<ListedPost>,
        length: TextLength,
    ) -> Result<Vec<Post>, sqlx::Error> {
        let mut bodies = self.bodies_of(db, &listed, length).await?;
        for left in listed.iter().filter(|post| post.has_left()) {
            bodies.remove(&left.id);
        }
        let blocked = blocked(&mut *db, viewer, &listed).await?;
        bodies.retain(|_, body| !members_of(&body.post).any(|member| blocked.contains(&member)));
        let others: Vec<Uuid> = listed.iter().map(|post| post.id).filter(|id| !bodies.contains_key(id)).collect();
        let mut others = read(db, viewer, &others, length).await?;
        let posts = listed.into_iter().filter_map(|listed| match bodies.get(&listed.id) {
            Some(body) => Some(for_viewer(&body.post, viewer, listed)),
            None => others.remove(&listed.id).map(|post| Post { score: listed.score, leads: listed.leads, ..post }),
        });
        Ok(posts.collect())
    }

    /// Returns the posts whose bodies the viewer shares with visitors, with these bodies in the listed version, and the
    /// other posts as the viewer sees them now.
    pub async fn with_bodies(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        listed: Vec<ListedPost>,
    ) -> Result<(Vec<(ListedPost, Arc<Body>)>, Vec<Post>), sqlx::Error> {
        let mut bodies = self.bodies_of(db, &listed, TextLength::Listed).await?;
        let blocked = blocked(&mut *db, viewer, &listed).await?;
        let (mut with, mut others) = (Vec::new(), Vec::new());
        for post in listed {
            match bodies.remove(&post.id).filter(|body| !post.has_left() && !body.names(&blocked)) {
                Some(body) => with.push((post, body)),
                None => others.push(post.id),
            }
        }
        let others = read(db, viewer, &others, TextLength::Listed).await?;
        Ok((with, others.into_values().collect()))
    }

    /// Returns the body of a listed post with the whole text of an article, or `None` if the post changed meanwhile.
    pub async fn whole_body(
        &self,
        db: &mut PgConnection,
        listed: &ListedPost,
    ) -> Result<Option<Arc<Body>>, sqlx::Error> {
        Ok(self.bodies_of(db, std::slice::from_ref(listed), TextLength::Whole).await?.remove(&listed.id))
    }

    /// Returns a page for a caller that keeps bodies: its posts in order, each with the viewer's own post where it
    /// differs from the visitors' body, and the current bodies that were not in memory here.
    pub async fn page(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        listed: Vec<ListedPost>,
    ) -> Result<(Vec<(ListedPost, Option<Post>)>, Vec<Arc<Body>>), sqlx::Error> {
        let (found, missing) = self.find(&listed, TextLength::Listed);
        let bodies = self.read_bodies(db, &missing, TextLength::Listed).await?;
        let blocked = blocked(&mut *db, viewer, &listed).await?;
        let is_shared = |post: &ListedPost| {
            let read = || bodies.iter().find(|body| body.post.id == post.id && body.version == post.version);
            let body = found.get(&post.id).or_else(read);
            !post.has_left() && (blocked.is_empty() || body.is_some_and(|body| !body.names(&blocked)))
        };
        let own: Vec<Uuid> = listed.iter().filter(|post| !is_shared(post)).map(|post| post.id).collect();
        let mut read = read(db, viewer, &own, TextLength::Listed).await?;
        let mut others: HashMap<Uuid, Option<Post>> = own.into_iter().map(|id| (id, read.remove(&id))).collect();
        let posts = listed.into_iter().filter_map(|post| match others.remove(&post.id) {
            Some(own) => Some((post, Some(own?))),
            None => Some((post, None)),
        });
        Ok((posts.collect(), bodies))
    }

    /// Returns the bodies in the listed versions. One statement reads the missing ones; a post that changed meanwhile
    /// has none.
    async fn bodies_of(
        &self,
        db: &mut PgConnection,
        listed: &[ListedPost],
        length: TextLength,
    ) -> Result<HashMap<Uuid, Arc<Body>>, sqlx::Error> {
        let (mut found, missing) = self.find(listed, length);
        let mut read: HashMap<Uuid, Arc<Body>> = HashMap::with_capacity(missing.len());
        for body in self.read_bodies(db, &missing, length).await? {
            read.insert(body.post.id, body);
        }
        for post in missing {
            if let Some(body) = read.remove(&post.id).filter(|body| body.version == post.version) {
                found.insert(post.id, body);
            }
        }
        Ok(found)
    }

    /// Finds the bodies in memory in the listed versions, and the posts without one.
    fn find<'a>(
        &self,
        listed: &'a [ListedPost],
        length: TextLength,
    ) -> (HashMap<Uuid, Arc<Body>>, Vec<&'a ListedPost>) {
        let (mut found, mut missing) = (HashMap::with_capacity(listed.len()), Vec::new());
        for post in listed {
            match self.bodies.get(&key(post, length)).filter(|body| body.version == post.version) {
                Some(body) => drop(found.insert(post.id, body)),
                None => missing.push(post),
            }
        }
        telemetry::cache_requests(CACHE, found.len(), missing.len());
        (found, missing)
    }

    /// Reads bodies in their current versions, with one statement.
    async fn read_bodies(
        &self,
        db: &mut PgConnection,
        missing: &[&ListedPost],
        length: TextLength,
    ) -> Result<Vec<Arc<Body>>, sqlx::Error> {
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = missing.iter().map(|post| post.id).collect();
        let rows = batch::bodies(&ids, length == TextLength::Whole).fetch_all(db).await?;
        let read =
            rows.into_iter().filter_map(|row| Some(Body { version: row.version()?, post: row.into_post(None)? }));
        let read: Vec<Arc<Body>> = read.map(Arc::new).collect();
        for body in &read {
            let length = if body.post.title.is_some() { length } else { TextLength::Listed };
            self.bodies.insert((body.post.id, length), Arc::clone(body));
        }
        Ok(read)
    }
}

/// Returns the members in a block with the viewer, if the posts need them.
pub(super) async fn blocked(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    listed: &[ListedPost],
) -> Result<HashSet<Uuid>, sqlx::Error> {
    match viewer.filter(|_| listed.iter().any(|post| post.has_blocks)) {
        Some(viewer) => blocks::of_member(db, viewer).await,
        None => Ok(HashSet::new()),
    }
}

fn key(post: &ListedPost, length: TextLength) -> (Uuid, TextLength) {
    (post.id, if post.is_article { length } else { TextLength::Listed })
}

/// Reads the posts that the viewer may see, for this viewer.
async fn read(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    ids: &[Uuid],
    length: TextLength,
) -> Result<HashMap<Uuid, Post>, sqlx::Error> {
    let rows: Vec<rows::Row> = match (ids, length) {
        ([], _) => return Ok(HashMap::new()),
        (ids, TextLength::Listed) => batch::by_ids(viewer, ids).fetch_all(db).await?,
        (ids, TextLength::Whole) => {
            let mut rows = Vec::new();
            for id in ids {
                rows.extend(lists::single(viewer, *id).fetch_optional(&mut *db).await?);
            }
            rows
        }
    };
    Ok(rows.into_iter().filter_map(|row| row.into_post(viewer)).map(|post| (post.id, post)).collect())
}

/// Combines a body with the columns of the list. The viewer's reaction comes first.
fn for_viewer(body: &Post, viewer: Option<Uuid>, listed: ListedPost) -> Post {
    let ListedPost { leads, score, my_kind, comment_kinds, community_name, .. } = listed;
    let mine = viewer.zip(my_kind).map(|(member_id, kind)| Reaction { member_id, kind });
    let others = body.reactions.iter().copied().filter(|reaction| Some(reaction.member_id) != viewer);
    let mut post =
        Post { leads, score, reactions: mine.into_iter().chain(others).take(MAX_REACTIONS).collect(), ..body.clone() };
    if let Some(community) = &mut post.community {
        community.name = community_name.unwrap_or_default();
    }
    for comment in &mut post.comments {
        comment.reaction = own_reaction(viewer, comment_kinds.get(&comment.id).copied());
    }
    post
}

/// Returns the members whose part of a body a block hides.
fn members_of(body: &Post) -> impl Iterator<Item = Uuid> {
    let original = match &body.repost {
        Some(Repost::Of(original)) => Some(original.author_id),
        Some(Repost::Unavailable) | None => None,
    };
    let commenters = body.comments.iter().map(|comment| comment.author_id);
    body.reactions.iter().map(|reaction| reaction.member_id).chain(commenters).chain(original)
}

/// Estimates the memory of a body.
fn bytes(body: &Post) -> usize {
    let pictures = |pictures: &[PostPicture]| -> usize {
        pictures.iter().map(|picture| size_of::<PostPicture>() + picture.url.len() + picture.alt.len()).sum()
    };
    let text = |text: Option<&String>| text.map_or(0, String::len);
    let pdf = |pdf: Option<&PostPdf>| pdf.map_or(0, |pdf| pdf.name.len());
    let preview = |preview: Option<&crate::link_previews::LinkPreview>| {
        preview.map_or(0, |card| card.url.len() + card.title.len() + card.description.len() + card.site.len() + 64)
    };
    let comments = body.comments.iter().map(|comment| size_of_val(comment) + comment.content.len());
    let original = match &body.repost {
        Some(Repost::Of(original)) => {
            size_of_val(&**original)
                + original.content.len()
                + text(original.title.as_ref())
                + text(original.video_url.as_ref())
                + pictures(&original.pictures)
                + pdf(original.pdf.as_ref())
                + preview(original.link_preview.as_ref())
        }
        Some(Repost::Unavailable) | None => 0,
    };
    size_of::<Body>()
        + body.content.len()
        + text(body.title.as_ref())
        + text(body.video_url.as_ref())
        + pictures(&body.pictures)
        + pdf(body.pdf.as_ref())
        + preview(body.link_preview.as_ref())
        + size_of_val(body.reactions.as_slice())
        + comments.sum::<usize>()
        + original
}
