//! Previews of links: the metadata of the page behind the first link of a post.
//!
//! A row belongs to a link and an audience. Posts of the audience share it: it is fetched once, and again when a post uses it
//! more than a week later. The composer asks for a row of the member alone; the new post takes it over. `worker` fetches pages,
//! `cleanup` deletes rows and pictures that no post uses.

pub mod address;
pub mod cleanup;
mod fetch;
pub mod quota;
mod store;
pub mod update;
mod worker;

use std::sync::Arc;

use chassis::{ServiceContext, config};
use chrono::TimeDelta;
use crawler::fetch::Fetcher;
use outbox::{Changes, UnitOfWork};
use picture_store::Pictures;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, types::Json};
use tokio::sync::Notify;
use url::Url;
use uuid::Uuid;

use crate::config::{Crawl, Settings};

/// The maximum age of a preview that a new post uses.
const MAX_AGE: TimeDelta = TimeDelta::days(7);
/// The audience of public posts.
const EVERYONE: Uuid = Uuid::nil();

/// The column `card`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkPreview {
    /// The link.
    pub url: String,
    /// Plain text, not empty.
    pub title: String,
    /// Plain text; empty without a description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The name of the site; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PreviewPicture>,
}

/// The value of the column.
pub type Card = Json<LinkPreview>;

/// The picture of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewPicture {
    /// The name of the object.
    pub hash: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
}

impl LinkPreview {
    /// Returns the host of the link without `www.`, not the host of a redirect, because readers follow the link.
    pub fn host(&self) -> String {
        let url = Url::parse(&self.url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    }
}

/// The state of the preview of a link.
pub enum PreviewState {
    /// The page is being fetched.
    Pending,
    Ready(LinkPreview),
    /// The link has no preview.
    None,
}

/// The author and the audience of a post.
#[derive(Clone, Copy)]
pub struct Place {
    pub author_id: Uuid,
    /// `None` for a public post.
    pub community_id: Option<Uuid>,
}

/// Decides which links get previews, and runs the workers. Clones share both.
#[derive(Clone)]
pub struct LinkPreviews {
    /// `None` when no page is read.
    fetcher: Option<Fetcher>,
    own_host: Option<Arc<str>>,
    due: Arc<Notify>,
}

impl LinkPreviews {
    /// # Errors
    /// When a setting is wrong, or TLS cannot be set up.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let admitted = settings.admitted().map_err(|config::Error(sentence)| anyhow::Error::msg(sentence))?;
        let fetcher = match settings.crawl {
            Crawl::On => Some(Fetcher::for_links(admitted)?),
            Crawl::Off => None,
        };
        Ok(Self { fetcher, own_host: settings.own_host().map(Into::into), due: Arc::default() })
    }

    /// Returns the first link of a text, if it can have a preview.
    pub fn first_link(&self, text: &str) -> Option<String> {
        self.fetcher.as_ref()?;
        self.normalize(&address::first_link(text)?)
    }

    /// Normalizes a link for comparison and fetching.
    pub fn normalize(&self, raw: &str) -> Option<String> {
        self.fetcher.as_ref()?;
        address::normalize(raw, self.own_host.as_deref())
    }

    /// Starts the workers of this process on new rows, after the transaction that inserts them.
    pub fn notify(&self) {
        self.due.notify_one();
    }

    /// Starts the workers and the cleanup.
    pub fn spawn(&self, context: &ServiceContext, db: &PgPool, pictures: &Pictures, changes: &Changes) {
        cleanup::spawn(context, db, pictures);
        if let Some(fetcher) = &self.fetcher {
            worker::spawn(context, db, pictures, changes, fetcher, &self.due);
        }
    }
}

/// Returns the preview that a new post of the place uses: an existing one, or a new one. `None` when the author
/// used too many new links.
pub async fn attach(work: &mut UnitOfWork<'_>, place: Place, url: &str) -> Result<Option<Uuid>, sqlx::Error> {
    let audience = place.community_id.unwrap_or(EVERYONE);
    if !quota::is_free(work.db, audience, place.author_id, url).await? && !quota::take(work, place.author_id).await? {
        return Ok(None);
    }
    attach_uncounted(work, place, url).await.map(Some)
}

/// Attaches a preview like [`attach`], for a link that the author used before.
async fn attach_uncounted(work: &mut UnitOfWork<'_>, place: Place, url: &str) -> Result<Uuid, sqlx::Error> {
    let id = work.ids.new_owner();
    let audience = place.community_id.unwrap_or(EVERYONE);
    // The update locks an existing row, so the cleanup does not delete it before the post is visible.
    let used = sqlx::query!(
        r#"
        insert into feed.link_previews as l (id, audience, url, due_at, created_at)
        values ($1, $2, $3, $4, $4)
        on conflict (audience, url) do update
        set
            check_at = null,
            attempts = case when l.due_at is null and l.fetched_at <= $5 then 0 else l.attempts end,
            due_at = case when l.due_at is null and l.fetched_at <= $5 then $4 else l.due_at end
        returning id
        "#,
        id,
        audience,
        url,
        work.now,
        work.now - MAX_AGE
    );
    let used = used.fetch_one(&mut *work.db).await?.id;
    if used == id {
        take_draft(work.db, id, place.author_id, url).await?;
    }
    Ok(used)
}

/// Moves the outcome that the author saw in the composer, with its pictures, into a new row.
async fn take_draft(db: &mut PgConnection, id: Uuid, author_id: Uuid, url: &str) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with draft as (
            delete from feed.link_previews
            where audience = $2
                and url = $3
                and fetched_at is not null
                and due_at is null
            returning card, pictures, fetched_at
        )
        update feed.link_previews l
        set card = draft.card, pictures = draft.pictures, fetched_at = draft.fetched_at, due_at = null
        from draft
        where l.id = $1",
        id,
        author_id,
        url
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns the preview of a link in the composer. Inserts a row for a worker to fetch, unless a row exists or the
/// member used too many new links.
pub async fn get_draft(work: &mut UnitOfWork<'_>, member_id: Uuid, url: &str) -> Result<PreviewState, sqlx::Error> {
    if !quota::is_free(work.db, member_id, member_id, url).await? && !quota::take(work, member_id).await? {
        return Ok(PreviewState::None);
    }
    let draft = sqlx::query!(
        r#"
        insert into feed.link_previews as l (id, audience, url, due_at, check_at, created_at)
        values ($1, $2, $3, $4, $4, $4)
        on conflict (audience, url) do update
        set check_at = $4
        returning card as "card?: Card", due_at
        "#,
        work.ids.new_owner(),
        member_id,
        url,
        work.now
    );
    let draft = draft.fetch_one(&mut *work.db).await?;
    Ok(match (draft.card, draft.due_at) {
        (Some(card), _) => PreviewState::Ready(card.0),
        (None, Some(_)) => PreviewState::Pending,
        (None, None) => PreviewState::None,
    })
}

/// Marks a preview that a post no longer uses: the cleanup deletes it if no other post does.
pub async fn release(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update feed.link_previews set check_at = 'epoch' where id = $1", id).execute(db).await?;
    Ok(())
}

/// Marks the previews of an erased member like [`release`], and replaces the id of the member.
pub async fn release_drafts(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with quota as (
            delete from feed.link_quotas
            where member_id = $1
        )
        update feed.link_previews
        set audience = id, check_at = 'epoch', due_at = null
        where audience = $1",
        member_id
    )
    .execute(db)
    .await?;
    Ok(())
}
