//! The handlers of the facts of feed: notifications of reactions, comments, mentions, reposts, and posts in communities.

mod comments;

use outbox::{Handlers, Reversible};
use portia_proto::feed::{
    AppealDecided, CommentReacted, CommentReactionRemoved, CommunityContentRemoved, PostCreated, PostDeleted,
    PostEdited, PostReacted, PostReactionRemoved, PostRepostRemoved, PostReposted, ReportDecided,
};
use primitives::clock::Clock;
use sqlx::PgConnection;
use uuid::Uuid;

use super::id;
use crate::{
    attachments::reported,
    error::Error,
    notifications::{CommunityRemoval, Kind, NotificationTrigger, Notifier},
    read_model::communities,
};

pub fn handlers(notifier: &Notifier, clock: &Clock) -> Handlers {
    let handlers = posts(Handlers::new(), notifier);
    let handlers = comment_reactions(comments::handlers(reactions(handlers, notifier), notifier), notifier);
    moderation(reposts(handlers, notifier), notifier, clock)
}

/// Notifies the author of removed content of the reason and of the result of an appeal. Members cannot turn these
/// notifications off. Also limits the retention of a reported message's attachments after the decision.
fn moderation(handlers: Handlers, notifier: &Notifier, clock: &Clock) -> Handlers {
    let clock = clock.clone();
    let [removed, decided, from_community] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: CommunityContentRemoved| {
            let notifier = from_community.clone();
            Box::pin(async move {
                let removal = CommunityRemoval {
                    id: id(&fact.removal_id)?,
                    community: id(&fact.community_id)?,
                    reason: &fact.reason,
                };
                notifier.announce_community_removal(db, &removal, id(&fact.author_id)?).await
            })
        })
        .on_live(move |db, fact: ReportDecided| {
            let (notifier, now) = (removed.clone(), clock.now());
            Box::pin(async move {
                if fact.kind == "message" {
                    reported::decide(db, id(&fact.item_id)?, now).await?;
                }
                let (Some(removal), Some(author)) = (&fact.removal_id, &fact.subject_member_id) else { return Ok(()) };
                let reason = fact.reason.as_deref().unwrap_or_default();
                notifier.announce(db, Kind::ContentRemoved, id(removal)?, reason, id(author)?).await
            })
        })
        .on_live(move |db, fact: AppealDecided| {
            let notifier = decided.clone();
            Box::pin(async move {
                let outcome = if fact.overturned { "overturned" } else { "upheld" };
                let (removal, author) = (id(&fact.removal_id)?, id(&fact.author_id)?);
                notifier.announce(db, Kind::AppealDecided, removal, outcome, author).await
            })
        })
}

fn posts(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [created, edited, deleted] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: PostCreated| {
            let notifier = created.clone();
            Box::pin(async move {
                let (post, author, mentioned) = (id(&fact.post_id)?, id(&fact.author_id)?, ids(&fact.mentioned_ids)?);
                let community = optional_id(&fact.community_id)?;
                let subscribers = match community {
                    Some(community) => communities::list_subscribers(db, community).await?,
                    None => Vec::new(),
                };
                notifier.lock(db, &others(author, &[&mentioned, &subscribers])).await?;
                let mention = NotificationTrigger::new(Kind::Mentioned, post, author);
                let notified = notifier.notify_listing(db, &mention, &mentioned).await?;
                let Some(community) = community else { return Ok::<_, Error>(()) };
                let trigger = NotificationTrigger::new(Kind::CommunityPosted, community, author);
                let trigger = NotificationTrigger { cause: &fact.post_id, ..trigger };
                notifier.notify(db, &trigger, &without(subscribers, &notified)).await
            })
        })
        .on_live(move |db, fact: PostEdited| {
            let notifier = edited.clone();
            Box::pin(async move {
                let mention = NotificationTrigger::new(Kind::Mentioned, id(&fact.post_id)?, id(&fact.author_id)?);
                change_mentions(db, &notifier, &mention, &fact.mentioned_ids, &fact.unmentioned_ids).await
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
                    Kind::Mentioned,
                ];
                notifier.delete_by_subject(db, &kinds, post).await?;
                let Some(community) = &fact.community_id else { return Ok::<_, Error>(()) };
                let trigger = NotificationTrigger::new(Kind::CommunityPosted, id(community)?, id(&fact.author_id)?);
                notifier.withdraw(db, &NotificationTrigger { cause: &fact.post_id, ..trigger }).await
            })
        })
}

fn reactions(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let notifier = notifier.clone();
    handlers.on_live_any(move |db, facts: Vec<Reversible<PostReacted, PostReactionRemoved>>| {
        let notifier = notifier.clone();
        Box::pin(async move {
            let change = |fact: &Reversible<PostReacted, PostReactionRemoved>| {
                let trigger =
                    |post, member| Ok::<_, Error>(NotificationTrigger::new(Kind::PostLiked, id(post)?, id(member)?));
                Ok::<_, Error>(match fact {
                    Reversible::Made(fact) => {
                        let trigger = trigger(&fact.post_id, &fact.member_id)?;
                        let audience = optional_id(&fact.community_id)?;
                        Reversible::Made((NotificationTrigger { audience, ..trigger }, id(&fact.author_id)?))
                    }
                    Reversible::Reversed(fact) => Reversible::Reversed(trigger(&fact.post_id, &fact.member_id)?),
                })
            };
            let changes = facts.iter().map(change).collect::<Result<_, _>>()?;
            notifier.apply_reversible(db, changes).await
        })
    })
}

/// Notifies the members that an edit mentions, and withdraws the notifications of those it no longer mentions.
async fn change_mentions(
    db: &mut PgConnection,
    notifier: &Notifier,
    mention: &NotificationTrigger<'_>,
    added: &[String],
    removed: &[String],
) -> Result<(), Error> {
    let (added, removed) = (ids(added)?, ids(removed)?);
    notifier.lock(db, &others(mention.actor, &[&added, &removed])).await?;
    notifier.withdraw_from(db, mention, &removed).await?;
    notifier.notify(db, mention, &added).await
}

fn ids(raw: &[String]) -> Result<Vec<Uuid>, Error> {
    raw.iter().map(|raw| id(raw)).collect()
}

fn optional_id(raw: &Option<String>) -> Result<Option<Uuid>, Error> {
    raw.as_deref().map(id).transpose()
}

/// Returns the members to notify of an action, so that their notifications are locked together.
fn others(actor: Uuid, members: &[&[Uuid]]) -> Vec<Uuid> {
    members.concat().into_iter().filter(|member| *member != actor).collect()
}

fn without(mut members: Vec<Uuid>, notified: &[Uuid]) -> Vec<Uuid> {
    members.retain(|member| !notified.contains(member));
    members
}

fn comment_reactions(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let notifier = notifier.clone();
    handlers.on_live_any(move |db, facts: Vec<Reversible<CommentReacted, CommentReactionRemoved>>| {
        let notifier = notifier.clone();
        Box::pin(async move {
            let change = |fact: &Reversible<CommentReacted, CommentReactionRemoved>| {
                let trigger = |comment, member| {
                    Ok::<_, Error>(NotificationTrigger::new(Kind::CommentLiked, id(comment)?, id(member)?))
                };
                Ok::<_, Error>(match fact {
                    Reversible::Made(fact) => {
                        let trigger = trigger(&fact.comment_id, &fact.member_id)?;
                        let (post, audience) = (Some(id(&fact.post_id)?), optional_id(&fact.community_id)?);
                        Reversible::Made((NotificationTrigger { post, audience, ..trigger }, id(&fact.author_id)?))
                    }
                    Reversible::Reversed(fact) => Reversible::Reversed(trigger(&fact.comment_id, &fact.member_id)?),
                })
            };
            let changes = facts.iter().map(change).collect::<Result<_, _>>()?;
            notifier.apply_reversible(db, changes).await
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
