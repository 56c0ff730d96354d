//! The handlers of comments and replies.

use outbox::Changes;
use portia_proto::feed::{PostCommentEdited, PostCommentRemoved, PostCommented};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{all_ids, change_mentions, id, optional_id, parse_trigger};
use crate::{
    error::Error,
    notifications::{Kind, NotificationTrigger, notifier},
};

/// Notifies of comments. Consecutive comments without mentions share statements.
pub async fn commented(db: &mut PgConnection, changes: &Changes, facts: Vec<PostCommented>) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let comments = facts.iter().map(Comment::of_fact).collect::<Result<Vec<_>, _>>()?;
    let concerned = comments.iter().flat_map(Comment::others).collect::<Vec<_>>();
    notifier::lock(work.db, &concerned).await?;
    for comments in comments.chunk_by(|one, next| one.mentioned.is_empty() && next.mentioned.is_empty()) {
        let mut notified = Vec::new();
        if let [comment] = comments {
            notified = notifier::notify_listing(work, &comment.mention_trigger(), &comment.mentioned).await?;
        }
        // A mentioned author is notified of the mention only.
        let unless_mentioned = |(_, author): &(NotificationTrigger<'_>, Uuid)| !notified.contains(author);
        let replied = comments.iter().filter_map(Comment::reply_trigger).filter(unless_mentioned);
        notifier::notify_each(work, replied.collect()).await?;
        let commented = comments.iter().filter_map(Comment::trigger).filter(unless_mentioned);
        notifier::notify_each(work, commented.collect()).await?;
    }
    Ok(())
}

pub async fn edited(db: &mut PgConnection, changes: &Changes, fact: PostCommentEdited) -> Result<(), Error> {
    let mention = parse_trigger(Kind::Mentioned, &fact.comment_id, &fact.member_id)?;
    let mention = NotificationTrigger { post: Some(id(&fact.post_id)?), ..mention };
    change_mentions(&mut changes.work(db), &mention, &fact.mentioned_ids, &fact.unmentioned_ids).await
}

pub async fn removed(db: &mut PgConnection, changes: &Changes, fact: PostCommentRemoved) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let PostCommentRemoved { post_id, author_id, comment_id, member_id, reply_to, reply_to_author_id } = fact;
    let fact = PostCommented {
        post_id,
        author_id,
        comment_id,
        member_id,
        reply_to,
        reply_to_author_id,
        community_id: None,
        mentioned_ids: Vec::new(),
    };
    let comment = Comment::of_fact(&fact)?;
    notifier::withdraw(work, &comment.post_trigger()).await?;
    if let Some((reply, _)) = comment.reply_trigger() {
        notifier::withdraw(work, &reply).await?;
    }
    let kinds = [Kind::CommentReplied, Kind::CommentLiked, Kind::Mentioned];
    notifier::delete_by_subject(work, &kinds, comment.comment).await
}

/// A comment of a fact, and the members that it concerns.
struct Comment<'a> {
    /// The id of the comment. Its text is the cause of the notifications.
    comment: Uuid,
    cause: &'a str,
    post: Uuid,
    post_author: Uuid,
    member: Uuid,
    /// The top-level comment of a reply, and its author.
    reply_to: Option<(Uuid, Uuid)>,
    /// The community of the post.
    community: Option<Uuid>,
    mentioned: Vec<Uuid>,
}

impl<'a> Comment<'a> {
    fn of_fact(fact: &'a PostCommented) -> Result<Self, Error> {
        Ok(Self {
            comment: id(&fact.comment_id)?,
            cause: &fact.comment_id,
            post: id(&fact.post_id)?,
            post_author: id(&fact.author_id)?,
            member: id(&fact.member_id)?,
            reply_to: optional_id(&fact.reply_to)?.zip(optional_id(&fact.reply_to_author_id)?),
            community: optional_id(&fact.community_id)?,
            mentioned: all_ids(&fact.mentioned_ids)?,
        })
    }

    /// Returns the members to notify, except the commenter.
    fn others(&self) -> impl Iterator<Item = Uuid> {
        let authors = [self.post_author].into_iter().chain(self.reply_to.map(|(_, author)| author));
        authors.chain(self.mentioned.iter().copied()).filter(|member| *member != self.member)
    }

    fn mention_trigger(&self) -> NotificationTrigger<'static> {
        let trigger = NotificationTrigger::new(Kind::Mentioned, self.comment, self.member);
        NotificationTrigger { post: Some(self.post), audience: self.community, ..trigger }
    }

    /// Returns a trigger and the author of the post. An author of both the post and the answered comment is notified
    /// once.
    fn trigger(&self) -> Option<(NotificationTrigger<'a>, Uuid)> {
        let answers_author = self.reply_to.is_some_and(|(_, author)| author == self.post_author);
        (!answers_author).then(|| (self.post_trigger(), self.post_author))
    }

    fn post_trigger(&self) -> NotificationTrigger<'a> {
        let trigger = NotificationTrigger::new(Kind::PostCommented, self.post, self.member);
        NotificationTrigger { cause: self.cause, audience: self.community, ..trigger }
    }

    /// Returns a trigger and the author of the answered comment.
    fn reply_trigger(&self) -> Option<(NotificationTrigger<'a>, Uuid)> {
        let (subject, author) = self.reply_to?;
        let trigger = NotificationTrigger::new(Kind::CommentReplied, subject, self.member);
        let trigger =
            NotificationTrigger { cause: self.cause, post: Some(self.post), audience: self.community, ..trigger };
        Some((trigger, author))
    }
}

#[cfg(test)]
mod tests {
    use outbox::Outbox;
    use primitives::ids::Ids;
    use testkit::{Database, clock, member};

    use super::*;
    use crate::MIGRATOR;

    /// Describes the notifications of all members, without their ids and times.
    async fn describe(database: &Database) -> Vec<String> {
        let described = "select format('%s %s %s: %s of %s', member_id, kind, subject_id, member_ids, member_count)
            from messaging.notifications
            union all
            select format('%s unread: %s', member_id, notifications)
            from messaging.unread_counts
            order by 1";
        sqlx::query_scalar(described).fetch_all(database.pool()).await.unwrap()
    }

    #[tokio::test]
    async fn comments_have_the_same_result_together_as_one_by_one() {
        let (together, alone) =
            (Database::fresh("messaging", &MIGRATOR).await, Database::fresh("messaging", &MIGRATOR).await);
        let clock = clock();
        let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
        let mut seed = 7_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u128::from((seed >> 33) % below)
        };
        let mut number = 1_000;
        for _ in 0..40 {
            let mut facts = Vec::new();
            for _ in 0..=draw(8) {
                number += 1;
                let post = draw(3);
                let reply = (draw(3) == 0).then(|| draw(5));
                facts.push(PostCommented {
                    post_id: member(100 + post).to_string(),
                    author_id: member(1 + post).to_string(),
                    comment_id: member(number).to_string(),
                    member_id: member(1 + draw(5)).to_string(),
                    reply_to: reply.map(|author| member(200 + 10 * post + author).to_string()),
                    reply_to_author_id: reply.map(|author| member(1 + author).to_string()),
                    community_id: None,
                    mentioned_ids: (0..draw(4).saturating_sub(1)).map(|_| member(1 + draw(5)).to_string()).collect(),
                });
            }
            let mut tx = db::begin(together.pool()).await.unwrap();
            commented(&mut tx, &changes, facts.clone()).await.unwrap();
            tx.commit().await.unwrap();
            for fact in &facts {
                let mut tx = db::begin(alone.pool()).await.unwrap();
                commented(&mut tx, &changes, vec![fact.clone()]).await.unwrap();
                tx.commit().await.unwrap();
            }
            let described = describe(&together).await;
            assert!(!described.is_empty());
            assert_eq!(described, describe(&alone).await, "{facts:?}");
        }
    }
}
