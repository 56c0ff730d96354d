//! The handlers of the facts of feed: notifications of reactions, comments, reposts, and posts in communities.

use outbox::Handlers;
use portia_proto::feed::{
    PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostReacted, PostReactionRemoved, PostRepostRemoved,
    PostReposted,
};

use super::id;
use crate::{
    error::Error,
    notifications::{Kind, NotificationTrigger, Notifier},
    read_model::communities,
};

pub fn handlers(notifier: &Notifier) -> Handlers {
    let handlers = posts(Handlers::new(), notifier);
    reposts(comments(reactions(handlers, notifier), notifier), notifier)
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
                let kinds = [Kind::PostLiked, Kind::PostCommented, Kind::PostReposted];
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
                let trigger = NotificationTrigger::new(Kind::PostCommented, id(&fact.post_id)?, id(&fact.member_id)?);
                let trigger = NotificationTrigger { cause: &fact.comment_id, ..trigger };
                notifier.notify(db, &trigger, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: PostCommentRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let trigger = NotificationTrigger::new(Kind::PostCommented, id(&fact.post_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &NotificationTrigger { cause: &fact.comment_id, ..trigger }).await
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
