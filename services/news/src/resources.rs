//! Law school resources: built-in ones, and suggestions of members, which are visible once an operator has approved them.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Line, Page, PageSize, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The kind of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Article,
    Guide,
    StudyMaterial,
    CaseBrief,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Article, Self::Guide, Self::StudyMaterial, Self::CaseBrief];

    /// The name in the table and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Guide => "guide",
            Self::StudyMaterial => "study-material",
            Self::CaseBrief => "case-brief",
        }
    }
}

/// A resource.
pub struct Resource {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub url: Option<String>,
    pub kind: String,
    pub approved_at: Option<DateTime<Utc>>,
}

/// A suggestion of a member.
pub struct Suggestion {
    pub title: Line<200>,
    pub description: Option<Text<2_000>>,
    pub url: String,
    /// The form by which a resource is recognised.
    pub canonical_url: String,
    pub kind: Kind,
}

/// A position in the list of resources.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct ResourceCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for ResourceCursor {}

impl ResourceCursor {
    /// Before every resource.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of resources.
pub struct ResourceQuery {
    pub size: PageSize,
    pub after: ResourceCursor,
    pub kind: Option<Kind>,
}

/// Lists the approved resources, newest first.
pub async fn list(db: &mut PgConnection, query: &ResourceQuery) -> Result<Page<Resource>, Error> {
    let rows = match query.kind {
        None => list_all(db, query).await?,
        Some(kind) => list_by_kind(db, query, kind).await?,
    };
    let cursor = |resource: &Resource| ResourceCursor { at: resource.approved_at.unwrap_or_default(), id: resource.id };
    Ok(Page::cut(rows, query.size, cursor))
}

async fn list_all(db: &mut PgConnection, query: &ResourceQuery) -> Result<Vec<Resource>, sqlx::Error> {
    sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where approved_at is not null
            and (approved_at, id) < ($1, $2)
        order by approved_at desc, id desc
        limit $3",
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await
}

async fn list_by_kind(db: &mut PgConnection, query: &ResourceQuery, kind: Kind) -> Result<Vec<Resource>, sqlx::Error> {
    sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where approved_at is not null
            and type = $4
            and (approved_at, id) < ($1, $2)
        order by approved_at desc, id desc
        limit $3",
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        kind.name(),
    )
    .fetch_all(db)
    .await
}

/// Returns the approved resources among `ids`, in any order.
pub async fn batch_get(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Resource>, sqlx::Error> {
    let found = sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where id = any((select $1::uuid[])::uuid[])
            and approved_at is not null",
        ids,
    );
    found.fetch_all(db).await
}

/// Returns an approved resource.
pub async fn get(db: &mut PgConnection, id: Uuid) -> Result<Resource, Error> {
    let found = sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where id = $1
            and approved_at is not null",
        id,
    );
    found.fetch_optional(db).await?.ok_or(Error::ResourceNotFound)
}

/// Stores a suggestion for the operator. A constraint refuses known addresses. The counter row of the member allows ten
/// pending suggestions, also for concurrent requests.
pub async fn suggest(work: &mut UnitOfWork<'_>, member: Uuid, suggestion: &Suggestion) -> Result<Resource, Error> {
    let stored = sqlx::query_as!(
        Resource,
        "with room as (
            insert into news.suggesters as s (member_id, waiting)
            values ($2, 1)
            on conflict (member_id) do update
            set waiting = s.waiting + 1
            where s.waiting < 10
            returning member_id
        )
        insert into news.resources (id, title, description, url, canonical_url, type, suggested_by, created_at)
        select $1, $3, $4, $5, $6, $7, member_id, $8
        from room
        returning id, title, description, url, type as kind, approved_at",
        work.ids.owned_by(member),
        member,
        &*suggestion.title,
        suggestion.description.as_deref(),
        suggestion.url,
        suggestion.canonical_url,
        suggestion.kind.name(),
        work.now,
    );
    stored.fetch_optional(&mut *work.db).await?.ok_or(Error::TooManySuggestions)
}
