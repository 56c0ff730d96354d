//! What changes something, each in one transaction.

use db::begin;
use picture_store::{Name, Owner, Picture};
use uuid::Uuid;

use super::Feed;
use crate::{
    comments::{self, Comment, NewComment},
    convert::Keyed,
    edits::{self, CommentEdit, PostEdit},
    error::Error,
    facts::Passed,
    idempotency::{self, claim, hash},
    pages,
    pictures::{self, Kept},
    posts::{self, Attached, NewPost, Post, Published, Words},
    reactions::{self, Reaction},
    removal::{self, Unsaid},
    reports::{self, NewReport},
    reposts,
    saved::{self, Item, Thing},
    search,
};

/// The longer side of a post's picture, in pixels.
const SIDE: u32 = 1_600;

impl Feed {
    pub(super) async fn publish(&self, member: Uuid, wanted: Keyed<NewPost>) -> Result<Post, Error> {
        let (mut new, now) = (wanted.what, self.clock.now());
        let id = self.ids.owned_by(member);
        let mut tx = begin(&self.db).await?;
        if let Some(key) = &wanted.key {
            let body_hash = post_hash(&new);
            let request = idempotency::Request { member_id: member, route: "CreatePost", key, body_hash };
            if let Some(earlier) = claim(&mut tx, &request, id, now).await? {
                return pages::find(&mut tx, Some(member), earlier).await;
            }
        }
        if let Some(named) = new.repost_of {
            new.repost_of = Some(reposts::original(&mut tx, member, named).await?);
        }
        let community = match posts::publish(&mut tx, id, member, &new, now).await? {
            Published::New(community) => community,
            // Nothing was made, so no key is kept: the same again is answered here again.
            Published::Before(earlier) => return pages::find(&mut tx, Some(member), earlier).await,
        };
        self.facts.post_created(&mut tx, id, member, new.community_id, now).await?;
        search::index(&mut tx, id).await?;
        if let (Words::Plain(text), None, None) = (&new.words, &new.attached, new.repost_of) {
            let content = (**text).to_owned();
            tx.commit().await?;
            return Ok(Post { community, ..Post::fresh(id, member, content, now) });
        }
        if let Some(original) = new.repost_of {
            let author = reposts::count(&mut tx, member, original).await?;
            let passed = Passed { post: original, author, repost: id, member };
            self.facts.post_reposted(&mut tx, &passed, now).await?;
        }
        let post = pages::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(post)
    }

    /// Keeps a picture: a row first, so that its object is nobody's for a day at most, whenever we are stopped.
    pub(super) async fn keep(&self, member: Uuid, wanted: Keyed<Vec<u8>>) -> Result<Kept, Error> {
        let (id, now) = (self.ids.owned_by(member), self.clock.now());
        let body_hash = hash(&[&wanted.what]);
        let picture = self.pictures.prepare(Owner { service: "feed", id }, wanted.what.into(), SIDE).await?;
        let mut tx = begin(&self.db).await?;
        let mut earlier = None;
        if let Some(key) = &wanted.key {
            let request = idempotency::Request { member_id: member, route: "UploadPicture", key, body_hash };
            earlier = claim(&mut tx, &request, id, now).await?;
        }
        let kept = match earlier {
            Some(earlier) => pictures::again(&mut tx, earlier, member, now).await?,
            None => pictures::note(&mut tx, id, member, &picture, now).await?,
        };
        tx.commit().await?;
        if kept.post_id.is_none() {
            // The first may have been stopped before its object was there: the same file is the same JPEG.
            let picture = Picture { name: Name::from_hash(&kept.hash).unwrap_or(picture.name), ..picture };
            self.pictures.put(&picture).await?;
            // A post may have taken the first and gone since, and the sweeper been here before what was put just now.
            if !pictures::noted(&self.db, kept.id).await? {
                self.pictures.delete(&picture.name).await?;
                return Err(Error::KeyReused);
            }
        }
        Ok(kept)
    }

    pub(super) async fn reword(&self, member: Uuid, edit: PostEdit) -> Result<Post, Error> {
        let mut tx = begin(&self.db).await?;
        edits::post(&mut tx, member, &edit, self.clock.now()).await?;
        search::index(&mut tx, edit.post_id).await?;
        let post = pages::find(&mut tx, Some(member), edit.post_id).await?;
        tx.commit().await?;
        Ok(post)
    }

    pub(super) async fn withdraw(&self, member: Uuid, post: Uuid) -> Result<(), Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        removal::withdraw(&mut tx, &self.facts, member, post, now).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn reword_comment(&self, member: Uuid, edit: CommentEdit) -> Result<Comment, Error> {
        let mut tx = begin(&self.db).await?;
        let comment = edits::comment(&mut tx, member, &edit, self.clock.now()).await?;
        tx.commit().await?;
        Ok(comment)
    }

    pub(super) async fn withdraw_comment(&self, member: Uuid, comment: Uuid) -> Result<Unsaid, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let unsaid = removal::unsay(&mut tx, &self.facts, member, comment, now).await?;
        tx.commit().await?;
        Ok(unsaid)
    }

    pub(super) async fn report(&self, member: Uuid, report: NewReport) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        reports::keep(&mut tx, self.ids.owned_by(member), member, report, self.clock.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn react(&self, post_id: Uuid, reaction: Reaction) -> Result<i64, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let outcome = reactions::set(&mut tx, post_id, reaction.member_id, reaction.kind, now).await?;
        if outcome.changed {
            self.facts.post_reacted(&mut tx, post_id, outcome.author_id, reaction, now).await?;
        }
        tx.commit().await?;
        Ok(outcome.like_count)
    }

    pub(super) async fn take_back(&self, post_id: Uuid, member: Uuid) -> Result<i64, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let outcome = reactions::remove(&mut tx, post_id, member).await?;
        if outcome.changed {
            self.facts.post_reaction_removed(&mut tx, post_id, outcome.author_id, member, now).await?;
        }
        tx.commit().await?;
        Ok(outcome.like_count)
    }

    pub(super) async fn save(&self, member: Uuid, thing: &Thing) -> Result<Item, Error> {
        let mut tx = begin(&self.db).await?;
        let item = saved::save(&mut tx, member, thing, self.clock.now()).await?;
        tx.commit().await?;
        Ok(item)
    }

    pub(super) async fn unsave(&self, member: Uuid, thing: &Thing) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        saved::unsave(&mut tx, member, thing).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn comment(&self, member: Uuid, wanted: Keyed<NewComment>) -> Result<Comment, Error> {
        let (new, now) = (wanted.what, self.clock.now());
        // In the bucket of the post's author, which the post's id carries.
        let id = self.ids.owned_by(new.post_id);
        let mut tx = begin(&self.db).await?;
        if let Some(key) = &wanted.key {
            let body_hash = hash(&[new.post_id.as_bytes(), new.content.as_bytes()]);
            let request = idempotency::Request { member_id: member, route: "CreateComment", key, body_hash };
            if let Some(earlier) = claim(&mut tx, &request, id, now).await? {
                return comments::find(&mut tx, earlier).await?.ok_or(Error::PostNotFound);
            }
        }
        let post_author = comments::add(&mut tx, id, member, &new, now).await?;
        self.facts.post_commented(&mut tx, new.post_id, post_author, id, member, now).await?;
        tx.commit().await?;
        Ok(Comment {
            id,
            post_id: new.post_id,
            author_id: member,
            content: new.content.into_string(),
            created_at: now,
            edited_at: None,
        })
    }
}

/// What a request says: of words alone as it was before there was anything else.
fn post_hash(new: &NewPost) -> [u8; 32] {
    let mut parts = vec![new.words.content().as_bytes()];
    parts.extend(new.community_id.as_ref().map(|id| id.as_bytes().as_slice()));
    if let Some(original) = &new.repost_of {
        parts.extend([b"repost".as_slice(), original.as_bytes().as_slice()]);
    }
    if let Some(title) = new.words.title() {
        parts.extend([b"title".as_slice(), title.as_bytes()]);
    }
    match &new.attached {
        Some(Attached::Picture { id, alt }) => {
            parts.extend([b"picture".as_slice(), id.as_bytes().as_slice(), alt.as_bytes()])
        }
        Some(Attached::Video(address)) => parts.extend([b"video".as_slice(), address.as_bytes()]),
        None => {}
    }
    hash(&parts)
}
