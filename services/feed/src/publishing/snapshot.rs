//! Publishes the snapshot for new consumers: the current state as facts. It skips deleted posts (posts/delete.rs) and
//! removed ones (moderation/removal.rs), whose author ids sort before all others.

use futures::TryStreamExt as _;
use outbox::{After, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::feed::{
    AppealCreated, CommentReacted, PostCommented, PostCreated, PostReacted, PostReposted, ReportCreated,
};
use sqlx::PgConnection;

use super::{
    CommentReactionRef, CommentRef, RepostRef, comment_reacted,
    moderation::{Appealed, CreatedReport, appeal_created, report_created},
    post_commented, post_created, post_reacted, post_reposted,
};
use crate::{
    cases::ReportedKind,
    reactions::{Reaction, ReactionKind},
};

pub struct FeedSnapshot;

impl SnapshotSource for FeedSnapshot {
    async fn publish(&self, db: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        if let Some(after) = to.start::<PostCreated>() {
            let mut posts = sqlx::query!(
                "
                select id, author_id, community_id
                from feed.posts
                where author_id > '00000000-0000-0000-0000-000000000001'
                    and id > $1
                order by id
                ",
                after.id(0)
            )
            .fetch(&mut *db);
            while let Some(post) = posts.try_next().await? {
                to.publish(&[&post.id], post.id, &post_created(post.id, post.author_id, post.community_id)).await?;
            }
        }
        if let Some(after) = to.start::<PostReacted>() {
            let mut reactions = sqlx::query!(
                r#"
                select r.post_id, p.author_id, r.member_id, r.kind as "kind: ReactionKind"
                from feed.reactions r
                join feed.posts p on p.id = r.post_id
                where p.author_id > '00000000-0000-0000-0000-000000000001'
                    and (r.post_id, r.member_id) > ($1, $2)
                order by r.post_id, r.member_id
                "#,
                after.id(0),
                after.id(1)
            )
            .fetch(&mut *db);
            while let Some(row) = reactions.try_next().await? {
                let reaction = Reaction { member_id: row.member_id, kind: row.kind };
                to.publish(
                    &[&row.post_id, &row.member_id],
                    row.post_id,
                    &post_reacted(row.post_id, row.author_id, reaction),
                )
                .await?;
            }
        }
        if let Some(after) = to.start::<PostCommented>() {
            let mut comments = sqlx::query_as!(
                CommentRef,
                r#"
                select
                    c.post_id as post,
                    p.author_id as author,
                    c.id as comment,
                    c.author_id as member,
                    c.reply_to,
                    t.author_id as "reply_to_author?"
                from feed.comments c
                join feed.posts p on p.id = c.post_id
                left join feed.comments t on t.id = c.reply_to
                where p.author_id > '00000000-0000-0000-0000-000000000001'
                    and c.id > $1
                order by c.id
                "#,
                after.id(0)
            )
            .fetch(&mut *db);
            while let Some(comment) = comments.try_next().await? {
                to.publish(&[&comment.comment], comment.post, &post_commented(&comment)).await?;
            }
        }
        if let Some(after) = to.start::<CommentReacted>() {
            let mut reactions = sqlx::query!(
                r#"
                select c.post_id, r.comment_id, c.author_id, r.member_id, r.kind as "kind: ReactionKind"
                from feed.comment_reactions r
                join feed.comments c on c.id = r.comment_id
                join feed.posts p on p.id = c.post_id
                where p.author_id > '00000000-0000-0000-0000-000000000001'
                    and (r.comment_id, r.member_id) > ($1, $2)
                order by r.comment_id, r.member_id
                "#,
                after.id(0),
                after.id(1)
            )
            .fetch(&mut *db);
            while let Some(row) = reactions.try_next().await? {
                let comment = CommentReactionRef { post: row.post_id, comment: row.comment_id, author: row.author_id };
                let reaction = Reaction { member_id: row.member_id, kind: row.kind };
                to.publish(&[&row.comment_id, &row.member_id], row.comment_id, &comment_reacted(&comment, reaction))
                    .await?;
            }
        }
        if let Some(after) = to.start::<PostReposted>() {
            let mut reposts = sqlx::query_as!(
                RepostRef,
                "
                select p.id as post, p.author_id as author, r.id as repost, r.author_id as member
                from feed.posts r
                join feed.posts p on p.id = r.repost_of
                where p.author_id > '00000000-0000-0000-0000-000000000001'
                    and r.id > $1
                order by r.id
                ",
                after.id(0)
            )
            .fetch(&mut *db);
            while let Some(repost) = reposts.try_next().await? {
                to.publish(&[&repost.repost], repost.post, &post_reposted(&repost)).await?;
            }
        }
        if let Some(after) = to.start::<ReportCreated>() {
            publish_all_reports(&mut *db, to, &after).await?;
        }
        if let Some(after) = to.start::<AppealCreated>() {
            publish_all_appeals(db, to, &after).await?;
        }
        Ok(())
    }
}

/// Publishes all reports, except reports of erased members, which have no owner.
async fn publish_all_reports(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut reports = sqlx::query_as!(
        CreatedReport,
        r#"
        select
            id, kind as "kind: ReportedKind", item_id, reporter_id as "reporter_id!", subject_id as "subject_id!",
            resolved_at is not null as "is_decided!"
        from feed.reports
        where reporter_id is not null
            and subject_id is not null
            and id > $1
        order by id
        "#,
        after.id(0)
    )
    .fetch(db);
    while let Some(report) = reports.try_next().await? {
        to.publish(&[&report.id], report.id, &report_created(&report)).await?;
    }
    Ok(())
}

async fn publish_all_appeals(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut appeals = sqlx::query_as!(
        Appealed,
        r#"
        select id, kind as "kind: ReportedKind", item_id, author_id, removed_by
        from feed.removals
        where appealed_at is not null
            and id > $1
        order by id
        "#,
        after.id(0)
    )
    .fetch(db);
    while let Some(appealed) = appeals.try_next().await? {
        to.publish(&[&appealed.id], appealed.item_id, &appeal_created(&appealed)).await?;
    }
    Ok(())
}
