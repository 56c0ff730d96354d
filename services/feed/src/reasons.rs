//! The reasons why a member's lists contain a post.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, visibility::visible_post_query};

/// The age up to which a post can be popular.
const POPULAR_WITHIN: TimeDelta = TimeDelta::days(7);
/// The reactions and comments of a popular post; a comment counts twice, as in the rank.
const POPULAR_FROM: i64 = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The member wrote it.
    Own,
    /// A connection wrote it.
    Connection,
    /// The member follows its author.
    FollowedMember,
    /// It is in a community of the member, with this name.
    Community(String),
    /// Its author was at the member's school when they wrote it.
    School,
    /// The member follows this topic of it.
    Topic(String),
    /// Many members react to it.
    Popular,
    /// It is public, and no other reason applies.
    Public,
}

struct Row {
    is_own: bool,
    is_connected: bool,
    is_followed: bool,
    community: Option<String>,
    is_of_school: bool,
    topics: Vec<String>,
    is_popular: bool,
}

/// Returns the reasons, strongest first. The member's own post has only the reason `Own`.
pub async fn list(
    db: &mut PgConnection,
    member_id: Uuid,
    post_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Reason>, Error> {
    let row = visible_post_query!(
        Row,
        r#"
        select
            p.author_id = $1 as "is_own!",
            exists (
                select from feed.connections c where c.member_id = $1 and c.other_id = p.author_id
            ) as "is_connected!",
            exists (
                select from feed.follows f where f.member_id = $1 and f.followed_id = p.author_id
            ) as "is_followed!",
            case
                when p.community_id is not null
                then coalesce((select c.name from feed.communities c where c.id = p.community_id), '')
            end as "community?",
            p.community_id is null
                and coalesce(p.school_key = (select m.school_key from feed.members m where m.member_id = $1), false)
                as "is_of_school!",
            array(
                select t.topic
                from feed.post_topics t
                join feed.topic_follows f on f.member_id = $1 and f.topic = t.topic
                where t.post_id = p.id
                    and p.community_id is null
                order by t.topic
            ) as "topics!",
            p.community_id is null
                and p.created_at > $3
                and p.like_count + 2 * p.comment_count >= $4
                as "is_popular!"
        from feed.posts p
        where p.id = $2
            and
        "#,
        "",
        member_id,
        post_id,
        now - POPULAR_WITHIN,
        POPULAR_FROM
    );
    let row = row.fetch_optional(db).await?.ok_or(Error::PostNotFound)?;
    if row.is_own {
        return Ok(vec![Reason::Own]);
    }
    let one = |holds: bool, reason: Reason| holds.then_some(reason).into_iter();
    let mut reasons: Vec<Reason> = one(row.is_connected, Reason::Connection)
        .chain(one(row.is_followed, Reason::FollowedMember))
        .chain(row.community.map(Reason::Community))
        .chain(one(row.is_of_school, Reason::School))
        .chain(row.topics.into_iter().map(Reason::Topic))
        .chain(one(row.is_popular, Reason::Popular))
        .collect();
    if reasons.is_empty() {
        reasons.push(Reason::Public);
    }
    Ok(reasons)
}
