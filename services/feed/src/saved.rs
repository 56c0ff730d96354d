//! What a member keeps for later, whosever it is. Whether there is such a thing is its owner's to know; what is gone since
//! stays on the list until it is taken off.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::Kept,
    error::Error,
    posts,
    sql::{Mapper, Statement},
};

/// What may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Kind {
    /// A post of feed's.
    Post,
    /// A posting.
    Job,
    /// A story.
    Article,
    /// A law school resource; also one that only the client knows.
    Resource,
    /// An event.
    Event,
}

impl Kind {
    /// The kind's name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Job => "job",
            Self::Article => "article",
            Self::Resource => "resource",
            Self::Event => "event",
        }
    }
}

/// A thing's id as its owner writes it: up to 64 letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ThingId(String);

impl ThingId {
    /// Before every id.
    pub const FIRST: Self = Self(String::new());

    /// The id itself.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl From<ThingId> for String {
    fn from(id: ThingId) -> Self {
        id.0
    }
}

impl From<Uuid> for ThingId {
    fn from(id: Uuid) -> Self {
        Self(id.to_string())
    }
}

impl TryFrom<String> for ThingId {
    type Error = &'static str;

    fn try_from(raw: String) -> Result<Self, Self::Error> {
        let plain = raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if plain && (1..=64).contains(&raw.len()) { Ok(Self(raw)) } else { Err("no id of a thing") }
    }
}

/// Something to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A post, of which it is known here who may see it.
    Post(Uuid),
    /// What another service owns.
    Other(Kind, ThingId),
}

impl Thing {
    fn kind(&self) -> Kind {
        match self {
            Self::Post(_) => Kind::Post,
            Self::Other(kind, _) => *kind,
        }
    }

    fn id(&self) -> String {
        match self {
            Self::Post(id) => id.to_string(),
            Self::Other(_, id) => id.0.clone(),
        }
    }
}

/// Something kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its owner's id for it.
    pub id: String,
    /// Since when.
    pub saved_at: DateTime<Utc>,
}

/// Keeps a thing, and counts it where it was not kept before: of posts, those that the member may see.
///
/// # Errors
/// [`Error::PostNotFound`]; [`Error::TooManySaved`].
pub async fn save(conn: &mut PgConnection, member_id: Uuid, thing: &Thing, at: DateTime<Utc>) -> Result<Item, Error> {
    if let Thing::Post(id) = thing {
        posts::seen(&mut *conn, member_id, *id).await?;
    }
    let (kind, id) = (thing.kind(), thing.id());
    sqlx::query!(
        "with kept as (
            insert into feed.saved_items (member_id, kind, item_id, saved_at)
            values ($1, $2, $3, $4)
            on conflict (member_id, kind, item_id) do nothing
            returning member_id
        )
        insert into feed.savers as s (member_id, items)
        select member_id, 1
        from kept
        on conflict (member_id) do update
        set items = s.items + 1",
        member_id,
        kind.name(),
        id,
        at
    )
    .execute(&mut *conn)
    .await?;
    let since = sqlx::query_scalar!(
        "select saved_at
        from feed.saved_items
        where member_id = $1
            and kind = $2
            and item_id = $3",
        member_id,
        kind.name(),
        id
    );
    // Kept before and let go in this moment: then it was kept for a moment.
    let saved_at = since.fetch_optional(conn).await?.unwrap_or(at);
    Ok(Item { kind, id, saved_at })
}

/// Keeps it no longer, whether or not it was kept.
///
/// # Errors
/// As any statement.
pub async fn unsave(conn: &mut PgConnection, member_id: Uuid, thing: &Thing) -> Result<(), Error> {
    sqlx::query!(
        "with gone as (
            delete from feed.saved_items
            where member_id = $1
                and kind = $2
                and item_id = $3
            returning member_id
        )
        update feed.savers s
        set items = s.items - 1
        from gone
        where s.member_id = gone.member_id",
        member_id,
        thing.kind().name(),
        thing.id()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What a member keeps, the last kept first.
///
/// # Errors
/// As any statement.
pub async fn list(
    conn: &mut PgConnection,
    member_id: Uuid,
    kind: Option<Kind>,
    size: PageSize,
    after: &Kept,
) -> Result<Page<Item>, Error> {
    let items = newest(member_id, kind, size.to_fetch(), after).fetch_all(conn).await?;
    Ok(Page::cut(items, size, |item| Kept {
        saved: item.saved_at.into(),
        item: ThingId(item.id.clone()),
        kind: item.kind,
    }))
}

/// The newest before `after`; of one kind, those of others are passed: a thousand at most.
pub(crate) fn newest(member_id: Uuid, kind: Option<Kind>, fetch: i64, after: &Kept) -> Statement<impl Mapper<Item>> {
    sqlx::query_as!(
        Item,
        r#"
        select kind as "kind: Kind", item_id as id, saved_at
        from feed.saved_items
        where member_id = $1
            and case when $2::text is null then true else kind = $2 end
            and (saved_at, item_id, kind) < ($3, $4, $5)
        order by saved_at desc, item_id desc, kind desc
        limit $6
        "#,
        member_id,
        kind.map(Kind::name),
        *after.saved,
        after.item.0,
        after.kind.name(),
        fetch
    )
}

/// Forgets what a member who is gone kept.
///
/// # Errors
/// As any statement.
pub async fn forget(conn: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.saved_items where member_id = $1", member_id).execute(&mut *conn).await?;
    sqlx::query!("delete from feed.savers where member_id = $1", member_id).execute(conn).await?;
    Ok(())
}
