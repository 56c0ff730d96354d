//! The handlers of the facts of feed: notifications of reactions, comments, mentions, reposts, and posts in communities.

mod comments;

use outbox::{Changes, Handlers, Reversible, UnitOfWork};
use portia_proto::feed::{
    AppealDecided, CommentReacted, CommentReactionRemoved, CommunityContentRemoved, PostCreated, PostDeleted,
    PostEdited, PostReacted, PostReactionRemoved, PostRepostRemoved, PostReposted, ReportDecided,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{all_ids, id, optional_id, parse_trigger};
use crate::{
    attachments::reported,
    error::Error,
    notifications::{CommunityRemoval, Kind, NotificationTrigger, notifier},
    read_model::communities,
};

pub fn handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .on_live(changes, post_created)
        .on_live(changes, post_edited)
        .on(changes, post_deleted)
        .on_live_any(changes, post_reactions_changed)
        .on_live_batch(changes, comments::commented)
        .on_live(changes, comments::edited)
        .on(changes, comments::removed)
        .on_live_any(changes, comment_reactions_changed)
        .on_live(changes, post_reposted)
        .on(changes, post_repost_removed)
        // Members cannot turn off the notifications of moderation.
        .on_live(changes, community_content_removed)
        .on_live(changes, limit_retention)
        .on_live(changes, notify_of_removal)
        .on_live(changes, appeal_decided)
}

async fn post_created(db: &mut PgConnection, changes: &Changes, fact: PostCreated) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let mention = parse_trigger(Kind::Mentioned, &fact.post_id, &fact.author_id)?;
    let (author, mentioned) = (mention.actor, all_ids(&fact.mentioned_ids)?);
    let community = optional_id(&fact.community_id)?;
    let subscribers = match community {
        Some(community) => communities::list_subscribers(work.db, community).await?,
        None => Vec::new(),
    };
    notifier::lock(work.db, &others(author, &[&mentioned, &subscribers])).await?;
    let notified = notifier::notify_listing(work, &mention, &mentioned).await?;
    let Some(community) = community else { return Ok(()) };
    let trigger = NotificationTrigger::new(Kind::CommunityPosted, community, author);
    let trigger = NotificationTrigger { cause: &fact.post_id, ..trigger };
    notifier::notify(work, &trigger, &without(subscribers, &notified)).await
}

async fn post_edited(db: &mut PgConnection, changes: &Changes, fact: PostEdited) -> Result<(), Error> {
    let mention = parse_trigger(Kind::Mentioned, &fact.post_id, &fact.author_id)?;
    change_mentions(&mut changes.work(db), &mention, &fact.mentioned_ids, &fact.unmentioned_ids).await
}

async fn post_deleted(db: &mut PgConnection, changes: &Changes, fact: PostDeleted) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let kinds = [
        Kind::PostLiked,
        Kind::PostCommented,
        Kind::PostReposted,
        Kind::CommentReplied,
        Kind::CommentLiked,
        Kind::Mentioned,
    ];
    notifier::delete_by_subject(work, &kinds, id(&fact.post_id)?).await?;
    let Some(community) = &fact.community_id else { return Ok(()) };
    let trigger = parse_trigger(Kind::CommunityPosted, community, &fact.author_id)?;
    notifier::withdraw(work, &NotificationTrigger { cause: &fact.post_id, ..trigger }).await
}

async fn post_reactions_changed(
    db: &mut PgConnection,
    changes: &Changes,
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
    let reversible = facts.iter().map(change).collect::<Result<_, _>>()?;
    notifier::apply_reversible(&mut changes.work(db), reversible).await
}

async fn comment_reactions_changed(
    db: &mut PgConnection,
    changes: &Changes,
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
    let reversible = facts.iter().map(change).collect::<Result<_, _>>()?;
    notifier::apply_reversible(&mut changes.work(db), reversible).await
}

async fn post_reposted(db: &mut PgConnection, changes: &Changes, fact: PostReposted) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::PostReposted, &fact.post_id, &fact.member_id)?;
    let trigger = NotificationTrigger { cause: &fact.repost_id, ..trigger };
    notifier::notify(&mut changes.work(db), &trigger, &[id(&fact.author_id)?]).await
}

async fn post_repost_removed(db: &mut PgConnection, changes: &Changes, fact: PostRepostRemoved) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::PostReposted, &fact.post_id, &fact.member_id)?;
    notifier::withdraw(&mut changes.work(db), &NotificationTrigger { cause: &fact.repost_id, ..trigger }).await
}

async fn community_content_removed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: CommunityContentRemoved,
) -> Result<(), Error> {
    let (removal, community) = (id(&fact.removal_id)?, id(&fact.community_id)?);
    let removal = CommunityRemoval { id: removal, community, reason: &fact.reason };
    notifier::announce_community_removal(&mut changes.work(db), &removal, id(&fact.author_id)?).await
}

/// Limits the retention of a reported message's attachments after the decision.
async fn limit_retention(db: &mut PgConnection, changes: &Changes, fact: ReportDecided) -> Result<(), Error> {
    if fact.kind == "message" { reported::decide(&mut changes.work(db), id(&fact.item_id)?).await } else { Ok(()) }
}

/// Notifies the author of removed content of the reason.
async fn notify_of_removal(db: &mut PgConnection, changes: &Changes, fact: ReportDecided) -> Result<(), Error> {
    let (Some(removal), Some(author)) = (&fact.removal_id, &fact.subject_member_id) else { return Ok(()) };
    let reason = fact.reason.as_deref().unwrap_or_default();
    notifier::announce(&mut changes.work(db), Kind::ContentRemoved, id(removal)?, reason, id(author)?).await
}

async fn appeal_decided(db: &mut PgConnection, changes: &Changes, fact: AppealDecided) -> Result<(), Error> {
    let outcome = if fact.overturned { "overturned" } else { "upheld" };
    notifier::announce(&mut changes.work(db), Kind::AppealDecided, id(&fact.removal_id)?, outcome, id(&fact.author_id)?)
        .await
}

/// Notifies the members that an edit mentions, and withdraws the notifications of those it no longer mentions.
async fn change_mentions(
    work: &mut UnitOfWork<'_>,
    mention: &NotificationTrigger<'_>,
    added: &[String],
    removed: &[String],
) -> Result<(), Error> {
    let (added, removed) = (all_ids(added)?, all_ids(removed)?);
    notifier::lock(work.db, &others(mention.actor, &[&added, &removed])).await?;
    notifier::withdraw_from(work, mention, &removed).await?;
    notifier::notify(work, mention, &added).await
}

/// Returns the members to notify of an action, so that their notifications are locked together.
fn others(actor: Uuid, members: &[&[Uuid]]) -> Vec<Uuid> {
    members.concat().into_iter().filter(|member| *member != actor).collect()
}

fn without(mut members: Vec<Uuid>, notified: &[Uuid]) -> Vec<Uuid> {
    members.retain(|member| !notified.contains(member));
    members
}
