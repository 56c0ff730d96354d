//! Topics of posts, followed topics and trending topics.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of topics of a post; further ones stay plain text.
const MAX_TOPICS: usize = 30;
/// The time that the trend covers.
const TREND: TimeDelta = TimeDelta::days(7);

/// A topic in lower case.
#[derive(Clone, Debug)]
pub struct Topic(pub String);

/// A topic with the number of members who used it lately.
pub struct TrendingTopic {
    pub topic: String,
    pub member_count: i64,
}

/// Finds the topics in a title and a text.
fn topics_of(title: Option<&str>, content: &str) -> Vec<String> {
    let mut topics = Vec::new();
    for text in title.into_iter().chain([content]) {
        for topic in portia_proto::topics::topics_in(text) {
            if topics.len() == MAX_TOPICS {
                return topics;
            }
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    topics
}

/// Inserts the topics of a new post.
pub async fn insert(
    db: &mut PgConnection,
    post_id: Uuid,
    title: Option<&str>,
    content: &str,
) -> Result<(), sqlx::Error> {
    let topics = topics_of(title, content);
    if topics.is_empty() { Ok(()) } else { write(db, post_id, &topics).await }
}

/// Replaces the topics of an updated post by the topics in its new text.
pub async fn update(db: &mut PgConnection, post_id: Uuid) -> Result<(), sqlx::Error> {
    let text = sqlx::query!("select title, content from feed.posts where id = $1", post_id);
    let text = text.fetch_one(&mut *db).await?;
    write(db, post_id, &topics_of(text.title.as_deref(), &text.content)).await
}

async fn write(db: &mut PgConnection, post_id: Uuid, topics: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with deleted as (
            delete from feed.post_topics
            where post_id = $1
                and topic <> all($2)
        )
        insert into feed.post_topics (post_id, topic, author_id, community_id, created_at)
        select p.id, t.topic, p.author_id, p.community_id, p.created_at
        from feed.posts p
        cross join unnest($2::text[]) as t (topic)
        where p.id = $1
        on conflict (post_id, topic) do nothing",
        post_id,
        topics
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the topics of a deleted post.
pub async fn delete(db: &mut PgConnection, post_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.post_topics where post_id = $1", post_id).execute(db).await?;
    Ok(())
}

/// Follows a topic. Concurrent requests of one member may exceed the limit by their number.
///
/// # Errors
/// [`Error::TooManyTopics`] for a member who follows 100 others.
pub async fn follow(work: &mut UnitOfWork<'_>, member_id: Uuid, topic: &Topic) -> Result<(), Error> {
    let is_followed = sqlx::query_scalar!(
        r#"
        with inserted as (
            insert into feed.topic_follows (member_id, topic, followed_at)
            select $1, $2, $3
            where (select count(*) from feed.topic_follows where member_id = $1) < 100
            on conflict (member_id, topic) do nothing
            returning topic
        )
        select
            exists (select from inserted)
            or exists (select from feed.topic_follows where member_id = $1 and topic = $2) as "is_followed!"
        "#,
        member_id,
        topic.0,
        work.now
    );
    if is_followed.fetch_one(&mut *work.db).await? { Ok(()) } else { Err(Error::TooManyTopics) }
}

/// Unfollows a topic, if the member follows it.
pub async fn unfollow(db: &mut PgConnection, member_id: Uuid, topic: &Topic) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.topic_follows where member_id = $1 and topic = $2", member_id, topic.0)
        .execute(db)
        .await?;
    Ok(())
}

/// Returns the topics that a member follows, in alphabetical order.
pub async fn list_followed(db: &mut PgConnection, member_id: Uuid) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!("select topic from feed.topic_follows where member_id = $1 order by topic limit 200", member_id)
        .fetch_all(db)
        .await
}

/// Returns the ten topics that most members used in public posts of the last week, among the 5,000 newest uses: reads a
/// range of one index. Skips uses by deactivated members and by members in a block with the viewer.
pub async fn list_trending(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<Vec<TrendingTopic>, sqlx::Error> {
    let trending = sqlx::query_as!(
        TrendingTopic,
        r#"
        select topic as "topic!", count(distinct author_id) as "member_count!"
        from (
            select topic, author_id
            from feed.post_topics
            where community_id is null
                and created_at > $2
            order by created_at desc
            limit 5000
        ) as used
        where not exists (select from feed.hidden_members h where h.member_id = author_id)
            and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = author_id)
            and not exists (select from feed.blocks b where b.blocker_id = author_id and b.blocked_id = $1)
        group by topic
        order by 2 desc, 1
        limit 10
        "#,
        viewer,
        now - TREND
    );
    trending.fetch_all(db).await
}

/// Deletes the rows of an erased member.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.topic_follows where member_id = $1", member_id).execute(db).await?;
    Ok(())
}
