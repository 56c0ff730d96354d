//! Reactions: a member has one or none to a post, and a post's counter changes only when one appears or goes.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize};
use sqlx::{
    Decode, PgConnection, Postgres, Type,
    error::BoxDynError,
    postgres::{PgHasArrayType, PgTypeInfo, PgValueRef},
};
use uuid::Uuid;

use crate::{
    cursors::Reacted,
    error::Error,
    sight::in_sight,
    sql::{Mapper, Statement},
};

/// How a member reacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The plain one.
    Like,
    /// Well done.
    Celebrate,
    /// I am with you.
    Support,
    /// I learned something.
    Insightful,
    /// Thank you.
    Thanks,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Like, Self::Celebrate, Self::Support, Self::Insightful, Self::Thanks];

    /// The kind's name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Like => "like",
            Self::Celebrate => "celebrate",
            Self::Support => "support",
            Self::Insightful => "insightful",
            Self::Thanks => "thanks",
        }
    }
}

impl Type<Postgres> for Kind {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <str as Type<Postgres>>::compatible(ty)
    }
}

impl PgHasArrayType for Kind {
    fn array_type_info() -> PgTypeInfo {
        <&str as PgHasArrayType>::array_type_info()
    }

    fn array_compatible(ty: &PgTypeInfo) -> bool {
        <&str as PgHasArrayType>::array_compatible(ty)
    }
}

impl Decode<'_, Postgres> for Kind {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let name = <&str as Decode<Postgres>>::decode(value)?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| format!("{name:?} is no reaction").into())
    }
}

/// A member's reaction to a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Whose.
    pub member_id: Uuid,
    /// Which.
    pub kind: Kind,
}

/// What became of a member's wish to react, or not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who wrote the post.
    pub author_id: Uuid,
    /// The post's reactions now.
    pub like_count: i64,
    /// False when it was so already.
    pub changed: bool,
}

/// Makes `kind` the member's one reaction to a post.
///
/// One statement: of two that run at once, the second finds the first's row and counts nothing. It touches the post even
/// then, because only a row it locked tells the counter as the first one left it.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn set(
    conn: &mut PgConnection,
    post_id: Uuid,
    member_id: Uuid,
    kind: Kind,
    at: DateTime<Utc>,
) -> Result<Outcome, Error> {
    let outcome = in_sight!(
        Outcome,
        r#"
        with said as (
            insert into feed.reactions as r (member_id, post_id, kind, created_at)
            values ($1, $2, $3, $4)
            on conflict (post_id, member_id) do update
            set kind = excluded.kind, changes = r.changes + 1
            where r.kind <> excluded.kind
            returning r.changes
        )
        update feed.posts p
        set like_count = p.like_count + (select count(*) from said where changes = 0)
        where p.id = $2
            and
        "#,
        r#"
        returning p.author_id, p.like_count, exists (select from said) as "changed!"
        "#,
        member_id,
        post_id,
        kind.name(),
        at
    )
    .fetch_optional(conn)
    .await?;
    outcome.ok_or(Error::PostNotFound)
}

/// Takes the member's reaction back, if there is one. One statement, like [`set`].
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn remove(conn: &mut PgConnection, post_id: Uuid, member_id: Uuid) -> Result<Outcome, Error> {
    let outcome = in_sight!(
        Outcome,
        r#"
        with taken_back as (
            delete from feed.reactions
            where member_id = $1
                and post_id = $2
            returning member_id
        )
        update feed.posts p
        set like_count = p.like_count - (select count(*) from taken_back)
        where p.id = $2
            and
        "#,
        r#"
        returning p.author_id, p.like_count, exists (select from taken_back) as "changed!"
        "#,
        member_id,
        post_id
    )
    .fetch_optional(conn)
    .await?;
    outcome.ok_or(Error::PostNotFound)
}

/// A page of a post's reactions, newest first.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn list(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    post_id: Uuid,
    size: PageSize,
    after: Reacted,
) -> Result<Page<Reaction>, Error> {
    let rows = newest(viewer, post_id, size.to_fetch(), after).fetch_all(conn).await?;
    if rows.is_empty() {
        return Err(Error::PostNotFound);
    }
    let rows = rows
        .into_iter()
        .filter_map(|row| Some((Reaction { member_id: row.member_id?, kind: row.kind? }, row.created_at?)));
    let page = Page::cut(rows.collect(), size, |(reaction, at)| Reacted { at: (*at).into(), id: reaction.member_id });
    Ok(Page {
        rows: page.rows.into_iter().map(|(reaction, _)| reaction).collect(),
        next_page_token: page.next_page_token,
    })
}

/// A row of a page. A post without reactions is one row of nulls; a post that is not there is none.
#[derive(Debug)]
pub(crate) struct Row {
    member_id: Option<Uuid>,
    kind: Option<Kind>,
    created_at: Option<DateTime<Utc>>,
}

/// The newest before `after`, without those of members the viewer does not meet.
pub(crate) fn newest(viewer: Option<Uuid>, post_id: Uuid, fetch: i64, after: Reacted) -> Statement<impl Mapper<Row>> {
    in_sight!(
        Row,
        r#"
        select r.member_id as "member_id?", r.kind as "kind?: Kind", r.created_at as "created_at?"
        from feed.posts p
        left join lateral (
            select member_id, kind, created_at
            from feed.reactions
            where post_id = p.id
                and (created_at, member_id) < ($3, $4)
                and member_id not in (
                    select blocked_id
                    from feed.blocks
                    where blocker_id = $1
                    union all
                    select blocker_id
                    from feed.blocks
                    where blocked_id = $1
                )
                and not exists (select from feed.hidden_members h where h.member_id = reactions.member_id)
            order by created_at desc, member_id desc
            limit $5
        ) as r on true
        where p.id = $2
            and
        "#,
        r#"
        order by r.created_at desc, r.member_id desc
        "#,
        viewer,
        post_id,
        *after.at,
        after.id,
        fetch
    )
}
