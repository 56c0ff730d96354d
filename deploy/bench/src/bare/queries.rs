//! The statements of the bare server, one for each request, and their rows.

#![expect(
    clippy::disallowed_methods,
    reason = "the tables exist in measured databases only, where no macro can check them"
)]

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{FromRow, PgPool};
use uuid::Uuid;

/// The number of rows of a list.
const PAGE: i64 = 20;

/// A post with its author, and whether the viewer likes it.
#[derive(Debug, Serialize, FromRow)]
#[serde(rename_all = "camelCase")]
pub(super) struct Post {
    pub(super) id: Uuid,
    content: String,
    like_count: i64,
    comment_count: i64,
    pub(super) created_at: DateTime<Utc>,
    liked: bool,
    author_id: Uuid,
    full_name: String,
    headline: Option<String>,
    avatar_url: Option<String>,
}

/// A profile.
#[derive(Debug, Serialize, FromRow)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile {
    id: Uuid,
    full_name: String,
    headline: Option<String>,
    location: Option<String>,
    school: Option<String>,
    bio: Option<String>,
    avatar_url: Option<String>,
    connection_count: i64,
    created_at: DateTime<Utc>,
}

/// A member in a list.
#[derive(Debug, Serialize, FromRow)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    id: Uuid,
    full_name: String,
    headline: Option<String>,
    avatar_url: Option<String>,
}

/// The newest posts before a position.
pub(super) async fn recent(db: &PgPool, viewer: Uuid, before: (DateTime<Utc>, Uuid)) -> Result<Vec<Post>, sqlx::Error> {
    sqlx::query_as(
        "select
            p.id, p.content, p.like_count, p.comment_count, p.created_at, l.member_id is not null as liked,
            p.author_id, m.full_name, m.headline, m.avatar_url
        from (
            select * from bare.posts where (created_at, id) < ($2, $3) order by created_at desc, id desc limit $4
        ) as p
        join bare.members m on m.id = p.author_id
        left join bare.likes l on l.post_id = p.id and l.member_id = $1
        order by p.created_at desc, p.id desc",
    )
    .bind(viewer)
    .bind(before.0)
    .bind(before.1)
    .bind(PAGE)
    .fetch_all(db)
    .await
}

/// The newest posts of the member's connections, merged for each request: the naive form of a home feed.
pub(super) async fn home(db: &PgPool, viewer: Uuid) -> Result<Vec<Post>, sqlx::Error> {
    sqlx::query_as(
        "select
            p.id, p.content, p.like_count, p.comment_count, p.created_at, l.member_id is not null as liked,
            p.author_id, m.full_name, m.headline, m.avatar_url
        from (
            select newest.*
            from bare.connections c
            cross join lateral (
                select * from bare.posts where author_id = c.other_id order by created_at desc, id desc limit $2
            ) as newest
            where c.member_id = $1
            order by newest.created_at desc, newest.id desc
            limit $2
        ) as p
        join bare.members m on m.id = p.author_id
        left join bare.likes l on l.post_id = p.id and l.member_id = $1
        order by p.created_at desc, p.id desc",
    )
    .bind(viewer)
    .bind(PAGE)
    .fetch_all(db)
    .await
}

/// A post with its newest comments as JSON.
pub(super) async fn post(db: &PgPool, viewer: Uuid, id: Uuid) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select
            json_build_object(
                'id', p.id, 'content', p.content, 'likeCount', p.like_count, 'commentCount', p.comment_count,
                'createdAt', p.created_at,
                'liked', exists (select from bare.likes l where l.post_id = p.id and l.member_id = $1),
                'authorId', m.id, 'fullName', m.full_name, 'headline', m.headline, 'avatarUrl', m.avatar_url,
                'comments', coalesce(
                    (
                        select
                            json_agg(
                                json_build_object(
                                    'id', c.id, 'content', c.content, 'createdAt', c.created_at, 'authorId', u.id,
                                    'fullName', u.full_name, 'headline', u.headline, 'avatarUrl', u.avatar_url
                                )
                                order by c.created_at, c.id
                            )
                        from (
                            select * from bare.comments where post_id = p.id order by created_at desc, id desc limit $3
                        ) as c
                        join bare.members u on u.id = c.author_id
                    ),
                    '[]'
                )
            )::text
        from bare.posts p
        join bare.members m on m.id = p.author_id
        where p.id = $2",
    )
    .bind(viewer)
    .bind(id)
    .bind(PAGE)
    .fetch_optional(db)
    .await
}

/// A profile.
pub(super) async fn profile(db: &PgPool, id: Uuid) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as(
        "select id, full_name, headline, location, school, bio, avatar_url, connection_count, created_at
        from bare.members
        where id = $1",
    )
    .bind(id)
    .fetch_optional(db)
    .await
}

/// Likes a post. Returns its number of likes; none when there is no such post, or the member likes it already.
pub(super) async fn like(
    db: &PgPool,
    member: Uuid,
    post: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "with liked as (
            insert into bare.likes (post_id, member_id, kind, created_at)
            values ($2, $1, 'like', $3)
            on conflict do nothing
            returning post_id
        )
        update bare.posts
        set like_count = like_count + 1
        where id = (select post_id from liked)
        returning like_count",
    )
    .bind(member)
    .bind(post)
    .bind(now)
    .fetch_optional(db)
    .await
}

/// Removes the member's like. Returns the number of likes; none when there was no like.
pub(super) async fn unlike(db: &PgPool, member: Uuid, post: Uuid) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "with unliked as (
            delete from bare.likes where post_id = $2 and member_id = $1 returning post_id
        )
        update bare.posts
        set like_count = like_count - 1
        where id = (select post_id from unliked)
        returning like_count",
    )
    .bind(member)
    .bind(post)
    .fetch_optional(db)
    .await
}

/// The member's unread messages, summed over the conversations.
pub(super) async fn unread(db: &PgPool, member: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select coalesce(sum(unread_count), 0) from bare.participants where member_id = $1")
        .bind(member)
        .fetch_one(db)
        .await
}

/// Members with this text in their name or headline, the most connected first.
pub(super) async fn people(db: &PgPool, text: &str) -> Result<Vec<Person>, sqlx::Error> {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    sqlx::query_as(
        "select id, full_name, headline, avatar_url
        from bare.members
        where (full_name || ' ' || coalesce(headline, '')) ilike $1
        order by connection_count desc, id
        limit $2",
    )
    .bind(format!("%{escaped}%"))
    .bind(PAGE)
    .fetch_all(db)
    .await
}
