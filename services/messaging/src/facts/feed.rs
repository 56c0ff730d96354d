//! The handlers of the facts of feed: notifications of reactions, comments, reposts, and posts in communities.

use outbox::Handlers;
use portia_proto::feed::{
    CommentReacted, CommentReactionRemoved, PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostReacted,
    PostReactionRemoved, PostRepostRemoved, PostReposted,
};
use uuid::Uuid;

use super::id;
use crate::{
    error::Error,
    notifications::{Kind, NotificationTrigger, Notifier},
    read_model::communities,
};

pub fn handlers(notifier: &Notifier) -> Handlers {
    let handlers = posts(Handlers::new(), notifier);
    let handlers = comment_reactions(comments(reactions(handlers, notifier), notifier), notifier);
    reposts(handlers, notifier)
}

fn posts(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [created, deleted] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: PostCreated| {
            let notifier = created.clone();
            Box::pin(async move {
                let Some(community) = &fact.community_id else { return Ok::<_, Error>(()) };
                let community = id(community)?;
                let trigger = NotificationTrigger::new(Kind::CommunityPosted, community, id(&fact.author_id)?);
                let subscribers = communities::list_subscribers(db, community).await?;
                notifier.notify(db, &NotificationTrigger { cause: &fact.post_id, ..trigger }, &subscribers).await
            })
        })
        .on(move |db, fact: PostDeleted| {
            let notifier = deleted.clone();
            Box::pin(async move {
                let post = id(&fact.post_id)?;
                let kinds = [
                    Kind::PostLiked,
                    Kind::PostCommented,
                    Kind::PostReposted,
                    Kind::CommentReplied,
                    Kind::CommentLiked,
                ];
                notifier.delete_by_subject(db, &kinds, post).await?;
                let Some(community) = &fact.community_id else { return Ok::<_, Error>(()) };
                let trigger = NotificationTrigger::new(Kind::CommunityPosted, id(community)?, id(&fact.author_id)?);
                notifier.withdraw(db, &NotificationTrigger { cause: &fact.post_id, ..trigger }).await
            })
        })
}

fn reactions(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [reacted, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: PostReacted| {
            let notifier = reacted.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::PostLiked, id(&fact.post_id)?, id(&fact.member_id)?);
                notifier.notify(db, &trigger, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: PostReactionRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::PostLiked, id(&fact.post_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &trigger).await
            })
        })
}

fn comments(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [commented, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: PostCommented| {
            let notifier = commented.clone();
            Box::pin(async move {
                let comment = Comment::of_fact(&fact)?;
                notifier.lock(db, &comment.recipients()).await?;
                if let Some(reply) = comment.reply_trigger(&fact.comment_id) {
                    notifier.notify(db, &reply, &comment.reply_to_author).await?;
                }
                // The author of a post and of the answered comment is notified once.
                if comment.reply_to_author == [comment.post_author] {
                    return Ok(());
                }
                notifier.notify(db, &comment.trigger(&fact.comment_id), &[comment.post_author]).await
            })
        })
        .on(move |db, fact: PostCommentRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let PostCommentRemoved { post_id, author_id, comment_id, member_id, reply_to, reply_to_author_id } =
                    fact;
                let fact = PostCommented { post_id, author_id, comment_id, member_id, reply_to, reply_to_author_id };
                let comment = Comment::of_fact(&fact)?;
                notifier.withdraw(db, &comment.trigger(&fact.comment_id)).await?;
                if let Some(reply) = comment.reply_trigger(&fact.comment_id) {
                    notifier.withdraw(db, &reply).await?;
                }
                let kinds = [Kind::CommentReplied, Kind::CommentLiked];
                notifier.delete_by_subject(db, &kinds, id(&fact.comment_id)?).await
            })
        })
}

/// A comment of a fact, and the members that it concerns.
struct Comment {
    post: Uuid,
    post_author: Uuid,
    member: Uuid,
    /// The top-level comment of a reply.
    reply_to: Option<Uuid>,
    /// Its author: at most one.
    reply_to_author: Vec<Uuid>,
}

impl Comment {
    fn of_fact(fact: &PostCommented) -> Result<Self, Error> {
        let optional = |raw: &Option<String>| raw.as_deref().map(id).transpose();
        Ok(Self {
            post: id(&fact.post_id)?,
            post_author: id(&fact.author_id)?,
            member: id(&fact.member_id)?,
            reply_to: optional(&fact.reply_to)?,
            reply_to_author: optional(&fact.reply_to_author_id)?.into_iter().collect(),
        })
    }

    /// The members to notify, whose notifications are locked together.
    fn recipients(&self) -> Vec<Uuid> {
        let recipients = [self.post_author].into_iter().chain(self.reply_to_author.iter().copied());
        recipients.filter(|recipient| *recipient != self.member).collect()
    }

    fn trigger<'a>(&self, cause: &'a str) -> NotificationTrigger<'a> {
        NotificationTrigger { cause, ..NotificationTrigger::new(Kind::PostCommented, self.post, self.member) }
    }

    fn reply_trigger<'a>(&self, cause: &'a str) -> Option<NotificationTrigger<'a>> {
        let trigger = NotificationTrigger::new(Kind::CommentReplied, self.reply_to?, self.member);
        Some(NotificationTrigger { cause, post: Some(self.post), ..trigger })
    }
}

fn comment_reactions(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [reacted, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: CommentReacted| {
            let notifier = reacted.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::CommentLiked, id(&fact.comment_id)?, id(&fact.member_id)?);
                let trigger = NotificationTrigger { post: Some(id(&fact.post_id)?), ..trigger };
                notifier.notify(db, &trigger, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: CommentReactionRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::CommentLiked, id(&fact.comment_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &trigger).await
            })
        })
}

fn reposts(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [reposted, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: PostReposted| {
            let notifier = reposted.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::PostReposted, id(&fact.post_id)?, id(&fact.member_id)?);
                let trigger = NotificationTrigger { cause: &fact.repost_id, ..trigger };
                notifier.notify(db, &trigger, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: PostRepostRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::PostReposted, id(&fact.post_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &NotificationTrigger { cause: &fact.repost_id, ..trigger }).await
            })
        })
}
