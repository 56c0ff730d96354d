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

use super::{all_ids, id, optional_id, parse_trigger};
use crate::{
    attachments::reported,
    error::Error,
    notifications::{CommunityRemoval, Kind, NotificationTrigger, Notifier},
    read_model::communities,
};

pub fn handlers(notifier: &Notifier, clock: &Clock) -> Handlers {
    Handlers::new()
        .on_live(notifier, post_created)
        .on_live(notifier, post_edited)
        .on(notifier, post_deleted)
        .on_live_any(notifier, post_reactions_changed)
        .on_live_batch(notifier, comments::commented)
        .on_live(notifier, comments::edited)
        .on(notifier, comments::removed)
        .on_live_any(notifier, comment_reactions_changed)
        .on_live(notifier, post_reposted)
        .on(notifier, post_repost_removed)
        // Members cannot turn off the notifications of moderation.
        .on_live(notifier, community_content_removed)
        .on_live(clock, limit_retention)
        .on_live(notifier, notify_of_removal)
        .on_live(notifier, appeal_decided)
}

async fn post_created(db: &mut PgConnection, notifier: &Notifier, fact: PostCreated) -> Result<(), Error> {
    let mention = parse_trigger(Kind::Mentioned, &fact.post_id, &fact.author_id)?;
    let (author, mentioned) = (mention.actor, all_ids(&fact.mentioned_ids)?);
    let community = optional_id(&fact.community_id)?;
    let subscribers = match community {
        Some(community) => communities::list_subscribers(db, community).await?,
        None => Vec::new(),
    };
    notifier.lock(db, &others(author, &[&mentioned, &subscribers])).await?;
    let notified = notifier.notify_listing(db, &mention, &mentioned).await?;
    let Some(community) = community else { return Ok(()) };
    let trigger = NotificationTrigger::new(Kind::CommunityPosted, community, author);
    let trigger = NotificationTrigger { cause: &fact.post_id, ..trigger };
    notifier.notify(db, &trigger, &without(subscribers, &notified)).await
}

async fn post_edited(db: &mut PgConnection, notifier: &Notifier, fact: PostEdited) -> Result<(), Error> {
    let mention = parse_trigger(Kind::Mentioned, &fact.post_id, &fact.author_id)?;
    change_mentions(db, notifier, &mention, &fact.mentioned_ids, &fact.unmentioned_ids).await
}

async fn post_deleted(db: &mut PgConnection, notifier: &Notifier, fact: PostDeleted) -> Result<(), Error> {
    let kinds = [
        Kind::PostLiked,
        Kind::PostCommented,
        Kind::PostReposted,
        Kind::CommentReplied,
        Kind::CommentLiked,
        Kind::Mentioned,
    ];
    notifier.delete_by_subject(db, &kinds, id(&fact.post_id)?).await?;
    let Some(community) = &fact.community_id else { return Ok(()) };
    let trigger = parse_trigger(Kind::CommunityPosted, community, &fact.author_id)?;
    notifier.withdraw(db, &NotificationTrigger { cause: &fact.post_id, ..trigger }).await
}

async fn post_reactions_changed(
    db: &mut PgConnection,
    notifier: &Notifier,
    facts: Vec<Reversible<PostReacted, PostReactionRemoved>>,
) -> Result<(), Error> {
    let change = |fact: &Reversible<PostReacted, PostReactionRemoved>| {
        Ok::<_, Error>(match fact {
            Reversible::Made(fact) => {
                let trigger = parse_trigger(Kind::PostLiked, &fact.post_id, &fact.member_id)?;
                let audience = optional_id(&fact.community_id)?;
                Reversible::Made((NotificationTrigger { audience, ..trigger }, id(&fact.author_id)?))
            }
            Reversible::Reversed(fact) => {
                Reversible::Reversed(parse_trigger(Kind::PostLiked, &fact.post_id, &fact.member_id)?)
            }
        })
    };
    let changes = facts.iter().map(change).collect::<Result<_, _>>()?;
    notifier.apply_reversible(db, changes).await
}

async fn comment_reactions_changed(
    db: &mut PgConnection,
    notifier: &Notifier,
    facts: Vec<Reversible<CommentReacted, CommentReactionRemoved>>,
) -> Result<(), Error> {
    let change = |fact: &Reversible<CommentReacted, CommentReactionRemoved>| {
        Ok::<_, Error>(match fact {
            Reversible::Made(fact) => {
                let trigger = parse_trigger(Kind::CommentLiked, &fact.comment_id, &fact.member_id)?;
                let (post, audience) = (Some(id(&fact.post_id)?), optional_id(&fact.community_id)?);
                Reversible::Made((NotificationTrigger { post, audience, ..trigger }, id(&fact.author_id)?))
            }
            Reversible::Reversed(fact) => {
                Reversible::Reversed(parse_trigger(Kind::CommentLiked, &fact.comment_id, &fact.member_id)?)
            }
        })
    };
    let changes = facts.iter().map(change).collect::<Result<_, _>>()?;
    notifier.apply_reversible(db, changes).await
}

async fn post_reposted(db: &mut PgConnection, notifier: &Notifier, fact: PostReposted) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::PostReposted, &fact.post_id, &fact.member_id)?;
    let trigger = NotificationTrigger { cause: &fact.repost_id, ..trigger };
    notifier.notify(db, &trigger, &[id(&fact.author_id)?]).await
}

async fn post_repost_removed(db: &mut PgConnection, notifier: &Notifier, fact: PostRepostRemoved) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::PostReposted, &fact.post_id, &fact.member_id)?;
    notifier.withdraw(db, &NotificationTrigger { cause: &fact.repost_id, ..trigger }).await
}

async fn community_content_removed(
    db: &mut PgConnection,
    notifier: &Notifier,
    fact: CommunityContentRemoved,
) -> Result<(), Error> {
    let (removal, community) = (id(&fact.removal_id)?, id(&fact.community_id)?);
    let removal = CommunityRemoval { id: removal, community, reason: &fact.reason };
    notifier.announce_community_removal(db, &removal, id(&fact.author_id)?).await
}

/// Limits the retention of a reported message's attachments after the decision.
async fn limit_retention(db: &mut PgConnection, clock: &Clock, fact: ReportDecided) -> Result<(), Error> {
    if fact.kind == "message" { reported::decide(db, id(&fact.item_id)?, clock.now()).await } else { Ok(()) }
}

/// Notifies the author of removed content of the reason.
async fn notify_of_removal(db: &mut PgConnection, notifier: &Notifier, fact: ReportDecided) -> Result<(), Error> {
    let (Some(removal), Some(author)) = (&fact.removal_id, &fact.subject_member_id) else { return Ok(()) };
    let reason = fact.reason.as_deref().unwrap_or_default();
    notifier.announce(db, Kind::ContentRemoved, id(removal)?, reason, id(author)?).await
}

async fn appeal_decided(db: &mut PgConnection, notifier: &Notifier, fact: AppealDecided) -> Result<(), Error> {
    let outcome = if fact.overturned { "overturned" } else { "upheld" };
    notifier.announce(db, Kind::AppealDecided, id(&fact.removal_id)?, outcome, id(&fact.author_id)?).await
}

/// Notifies the members that an edit mentions, and withdraws the notifications of those it no longer mentions.
async fn change_mentions(
    db: &mut PgConnection,
    notifier: &Notifier,
    mention: &NotificationTrigger<'_>,
    added: &[String],
    removed: &[String],
) -> Result<(), Error> {
    let (added, removed) = (all_ids(added)?, all_ids(removed)?);
    notifier.lock(db, &others(mention.actor, &[&added, &removed])).await?;
    notifier.withdraw_from(db, mention, &removed).await?;
    notifier.notify(db, mention, &added).await
}

/// Returns the members to notify of an action, so that their notifications are locked together.
fn others(actor: Uuid, members: &[&[Uuid]]) -> Vec<Uuid> {
    members.concat().into_iter().filter(|member| *member != actor).collect()
}

fn without(mut members: Vec<Uuid>, notified: &[Uuid]) -> Vec<Uuid> {
    members.retain(|member| !notified.contains(member));
    members
}
