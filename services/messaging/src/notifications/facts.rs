//! What the bell hears, kind by kind: source -> who is told, what is taken back, what is copied.
//!
//! Telling somebody is news; what a snapshot says is copied and rings for nobody.

use outbox::Handlers;
use portia_proto::{
    feed::{
        PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostReacted, PostReactionRemoved,
        PostRepostRemoved, PostReposted,
    },
    jobs::AppliedPostingClosed,
    profile::{SkillEndorsed, SkillEndorsementRemoved},
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        ConnectionRequested, EventAttended, EventChanged, EventRemoved, EventUnattended, MemberBlocked,
    },
};
use primitives::{ids, input::InvalidRequest};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Bell, Kind,
    bell::Deed,
    copies::{self, Event},
};
use crate::error::Error;

type Done = Result<(), Error>;

/// Reactions, comments, reposts, and posts in communities.
pub fn of_feed(bell: &Bell) -> Handlers {
    of_removals(of_reposts(of_posts(Handlers::new(), bell), bell), bell)
}

fn of_reposts(handlers: Handlers, bell: &Bell) -> Handlers {
    let [reposted, removed] = std::array::from_fn(|_| bell.clone());
    handlers
        .on_live(move |db, fact: PostReposted| {
            let bell = reposted.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostReposted, id(&fact.post_id)?, id(&fact.member_id)?);
                tell(&bell, db, &Deed { cause: &fact.repost_id, ..deed }, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: PostRepostRemoved| {
            let bell = removed.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostReposted, id(&fact.post_id)?, id(&fact.member_id)?);
                Ok::<_, Error>(bell.withdraw(db, &Deed { cause: &fact.repost_id, ..deed }).await?)
            })
        })
}

/// What was written and is gone again: nobody is told of it any more.
fn of_removals(handlers: Handlers, bell: &Bell) -> Handlers {
    let [unsaid, deleted] = std::array::from_fn(|_| bell.clone());
    handlers
        .on(move |db, fact: PostCommentRemoved| {
            let bell = unsaid.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostCommented, id(&fact.post_id)?, id(&fact.member_id)?);
                Ok::<_, Error>(bell.withdraw(db, &Deed { cause: &fact.comment_id, ..deed }).await?)
            })
        })
        .on(move |db, fact: PostDeleted| {
            let bell = deleted.clone();
            Box::pin(async move {
                let post = id(&fact.post_id)?;
                bell.remove(db, &[Kind::PostLiked, Kind::PostCommented, Kind::PostReposted], post).await?;
                let Some(community) = &fact.community_id else { return Ok::<_, Error>(()) };
                let deed = Deed::new(Kind::CommunityPosted, id(community)?, id(&fact.author_id)?);
                Ok(bell.withdraw(db, &Deed { cause: &fact.post_id, ..deed }).await?)
            })
        })
}

fn of_posts(handlers: Handlers, bell: &Bell) -> Handlers {
    let [reacted, taken_back, commented, posted] = std::array::from_fn(|_| bell.clone());
    handlers
        .on_live(move |db, fact: PostReacted| {
            let bell = reacted.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostLiked, id(&fact.post_id)?, id(&fact.member_id)?);
                tell(&bell, db, &deed, &[id(&fact.author_id)?]).await
            })
        })
        .on(move |db, fact: PostReactionRemoved| {
            let bell = taken_back.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostLiked, id(&fact.post_id)?, id(&fact.member_id)?);
                Ok::<_, Error>(bell.withdraw(db, &deed).await?)
            })
        })
        .on_live(move |db, fact: PostCommented| {
            let bell = commented.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::PostCommented, id(&fact.post_id)?, id(&fact.member_id)?);
                tell(&bell, db, &Deed { cause: &fact.comment_id, ..deed }, &[id(&fact.author_id)?]).await
            })
        })
        .on_live(move |db, fact: PostCreated| {
            let bell = posted.clone();
            Box::pin(async move {
                let Some(community) = &fact.community_id else { return Ok::<_, Error>(()) };
                let community = id(community)?;
                let deed = Deed::new(Kind::CommunityPosted, community, id(&fact.author_id)?);
                let readers = copies::readers(db, community).await?;
                tell(&bell, db, &Deed { cause: &fact.post_id, ..deed }, &readers).await
            })
        })
}

/// Endorsements.
pub fn of_profile(bell: &Bell) -> Handlers {
    let [endorsed, withdrawn] = std::array::from_fn(|_| bell.clone());
    Handlers::new()
        .on_live(move |db, fact: SkillEndorsed| {
            let bell = endorsed.clone();
            Box::pin(async move {
                let member = id(&fact.member_id)?;
                let deed = Deed::new(Kind::SkillEndorsed, member, id(&fact.endorser_id)?);
                tell(&bell, db, &Deed { detail: &fact.skill, ..deed }, &[member]).await
            })
        })
        .on(move |db, fact: SkillEndorsementRemoved| {
            let bell = withdrawn.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::SkillEndorsed, id(&fact.member_id)?, id(&fact.endorser_id)?);
                Ok::<_, Error>(bell.withdraw(db, &Deed { detail: &fact.skill, ..deed }).await?)
            })
        })
}

/// Postings that members applied for.
pub fn of_jobs(bell: &Bell) -> Handlers {
    let bell = bell.clone();
    Handlers::new().on_live(move |db, fact: AppliedPostingClosed| {
        let bell = bell.clone();
        Box::pin(async move {
            let (application, member) = (id(&fact.application_id)?, id(&fact.member_id)?);
            Ok::<_, Error>(bell.announce(db, Kind::PostingClosed, application, &fact.title, member).await?)
        })
    })
}

/// Goes before what conversations do about the same facts: bells are taken before conversations.
pub fn before_conversations(handlers: Handlers, bell: &Bell) -> Handlers {
    let [accepted, blocked] = std::array::from_fn(|_| bell.clone());
    handlers
        .on_live(move |db, fact: ConnectionAccepted| {
            let bell = accepted.clone();
            Box::pin(async move {
                Ok::<_, Error>(bell.hold(db, &[id(&fact.requester_id)?, id(&fact.recipient_id)?]).await?)
            })
        })
        .on(move |db, fact: MemberBlocked| {
            let bell = blocked.clone();
            Box::pin(
                async move { Ok::<_, Error>(bell.hold(db, &[id(&fact.blocker_id)?, id(&fact.blocked_id)?]).await?) },
            )
        })
}

/// Connections, blocks, communities and events. Where both tell and copy, they tell first: who joins again, or which
/// revision an event had, is what the copy says before it follows.
pub fn of_social_graph(handlers: Handlers, bell: &Bell) -> Handlers {
    let handlers = handlers.before_snapshot(|db| Box::pin(copies::clear(db)));
    of_events(of_communities(of_members(handlers, bell), bell), bell)
}

fn of_members(handlers: Handlers, bell: &Bell) -> Handlers {
    let [requested, accepted, removed, blocked] = std::array::from_fn(|_| bell.clone());
    handlers
        .on_live(move |db, fact: ConnectionRequested| {
            let bell = requested.clone();
            Box::pin(async move {
                let deed = Deed::new(Kind::ConnectionRequested, id(&fact.connection_id)?, id(&fact.requester_id)?);
                tell(&bell, db, &deed, &[id(&fact.recipient_id)?]).await
            })
        })
        .on_live(move |db, fact: ConnectionAccepted| {
            let bell = accepted.clone();
            Box::pin(async move {
                let connection = id(&fact.connection_id)?;
                bell.remove(db, &[Kind::ConnectionRequested], connection).await?;
                let deed = Deed::new(Kind::ConnectionAccepted, connection, id(&fact.recipient_id)?);
                tell(&bell, db, &deed, &[id(&fact.requester_id)?]).await
            })
        })
        .on(move |db, fact: ConnectionRemoved| {
            let bell = removed.clone();
            Box::pin(async move {
                let kinds = [Kind::ConnectionRequested, Kind::ConnectionAccepted];
                Ok::<_, Error>(bell.remove(db, &kinds, id(&fact.connection_id)?).await?)
            })
        })
        .on(move |db, fact: MemberBlocked| {
            let bell = blocked.clone();
            Box::pin(async move { Ok::<_, Error>(bell.part(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await?) })
        })
}

fn of_communities(handlers: Handlers, bell: &Bell) -> Handlers {
    let [joined, left, removed] = std::array::from_fn(|_| bell.clone());
    handlers
        .on(|db, fact: CommunityChanged| {
            Box::pin(
                async move { Ok::<_, Error>(copies::community_called(db, id(&fact.community_id)?, &fact.name).await?) },
            )
        })
        .on(move |db, fact: CommunityRemoved| {
            let bell = removed.clone();
            Box::pin(async move {
                let community = id(&fact.community_id)?;
                bell.remove(db, &[Kind::CommunityJoined, Kind::CommunityPosted], community).await?;
                Ok::<_, Error>(copies::community_removed(db, community).await?)
            })
        })
        .on_live(move |db, fact: CommunityJoined| {
            let bell = joined.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                let owners = copies::owners_of_what_is_new_to(db, member, community).await?;
                tell(&bell, db, &Deed::new(Kind::CommunityJoined, community, member), &owners).await
            })
        })
        .on(|db, fact: CommunityJoined| {
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                Ok::<_, Error>(copies::joined(db, community, member, fact.is_owner).await?)
            })
        })
        .on(move |db, fact: CommunityLeft| {
            let bell = left.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                bell.withdraw(db, &Deed::new(Kind::CommunityJoined, community, member)).await?;
                Ok::<_, Error>(copies::left(db, community, member).await?)
            })
        })
}

fn of_events(handlers: Handlers, bell: &Bell) -> Handlers {
    let [changed, removed, attended, unattended] = std::array::from_fn(|_| bell.clone());
    handlers
        .on_live(move |db, fact: EventChanged| {
            let bell = changed.clone();
            Box::pin(async move { event_changed(&bell, db, &fact).await })
        })
        .on(|db, fact: EventChanged| {
            Box::pin(async move {
                let organiser = fact.organiser_id.as_deref().map(id).transpose()?;
                let (event, title) = (id(&fact.event_id)?, &fact.title);
                Ok::<_, Error>(copies::event_changed(db, event, organiser, title, fact.revision).await?)
            })
        })
        .on_live(move |db, fact: EventRemoved| {
            let bell = removed.clone();
            Box::pin(async move { event_cancelled(&bell, db, id(&fact.event_id)?).await })
        })
        .on(|db, fact: EventRemoved| {
            Box::pin(async move { Ok::<_, Error>(copies::event_removed(db, id(&fact.event_id)?).await?) })
        })
        .on_live(move |db, fact: EventAttended| {
            let bell = attended.clone();
            Box::pin(async move {
                let (event, member) = (id(&fact.event_id)?, id(&fact.member_id)?);
                let organiser = copies::event(db, event).await?.and_then(|event| event.organiser_id);
                let deed = Deed::new(Kind::EventAttended, event, member);
                tell(&bell, db, &deed, organiser.as_slice()).await
            })
        })
        .on(|db, fact: EventAttended| {
            Box::pin(async move {
                let (event, member) = (id(&fact.event_id)?, id(&fact.member_id)?);
                Ok::<_, Error>(copies::attended(db, event, member).await?)
            })
        })
        .on(move |db, fact: EventUnattended| {
            let bell = unattended.clone();
            Box::pin(async move {
                let (event, member) = (id(&fact.event_id)?, id(&fact.member_id)?);
                bell.withdraw(db, &Deed::new(Kind::EventAttended, event, member)).await?;
                Ok::<_, Error>(copies::unattended(db, event, member).await?)
            })
        })
}

/// Tells whoever comes that the event takes place elsewhere or at another time, if it does: each revision is a cause of
/// its own.
async fn event_changed(bell: &Bell, db: &mut PgConnection, fact: &EventChanged) -> Done {
    let event = id(&fact.event_id)?;
    let known = copies::event(db, event).await?;
    let (Some(organiser), Some(Event { revision, .. })) = (&fact.organiser_id, known) else { return Ok(()) };
    if !fact.moved || fact.revision <= revision {
        return Ok(());
    }
    let deed = Deed::new(Kind::EventChanged, event, id(organiser)?);
    let attendees = copies::attendees(db, event).await?;
    tell(bell, db, &Deed { cause: &fact.revision.to_string(), ..deed }, &attendees).await
}

/// Tells whoever wanted to come that the event was called off, and takes back what they, and its organiser, were told of
/// it before.
async fn event_cancelled(bell: &Bell, db: &mut PgConnection, event: Uuid) -> Done {
    let attendees = copies::attendees(db, event).await?;
    let Some(Event { organiser_id: Some(organiser), title, .. }) = copies::event(db, event).await? else {
        return Ok(());
    };
    let mut concerned = attendees.clone();
    concerned.push(organiser);
    bell.hold(db, &concerned).await?;
    bell.remove(db, &[Kind::EventAttended, Kind::EventChanged], event).await?;
    tell(bell, db, &Deed { detail: &title, ..Deed::new(Kind::EventCancelled, event, organiser) }, &attendees).await
}

async fn tell(bell: &Bell, db: &mut PgConnection, deed: &Deed<'_>, members: &[Uuid]) -> Done {
    Ok(bell.ring(db, deed, members).await?)
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}
