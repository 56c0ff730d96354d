//! The snapshot for new and late consumers.

use futures::TryStreamExt as _;
use outbox::{SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, ConnectionAccepted, ConnectionRequested, EventAttended, EventChanged,
    MemberBlocked, MemberFollowed,
};
use sqlx::PgConnection;

use super::{
    community_changed, community_joined, connection_accepted, connection_requested,
    events::{attended, changed},
    member_blocked, member_followed,
};
use crate::{communities::Role, follows::FollowPair};

/// The current state as the facts that produce it.
#[derive(Clone, Copy, Debug)]
pub struct GraphSnapshot;

impl SnapshotSource for GraphSnapshot {
    async fn publish(&self, conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
        if to.wants::<ConnectionRequested>() {
            let mut requests = sqlx::query!(
                "select id, requester_id, recipient_id
                from social_graph.connections
                where status = 'pending'
                order by id",
            )
            .fetch(&mut *conn);
            while let Some(row) = requests.try_next().await? {
                to.publish(row.id, &connection_requested(row.id, row.requester_id, row.recipient_id)).await?;
            }
        }
        if to.wants::<ConnectionAccepted>() {
            let mut connections = sqlx::query!(
                "select id, requester_id, recipient_id
                from social_graph.connections
                where status = 'accepted'
                order by id",
            )
            .fetch(&mut *conn);
            while let Some(row) = connections.try_next().await? {
                to.publish(row.id, &connection_accepted(row.id, row.requester_id, row.recipient_id)).await?;
            }
        }
        if to.wants::<MemberBlocked>() {
            let mut blocks = sqlx::query!(
                "select blocker_id, blocked_id
                from social_graph.blocks
                order by blocker_id, blocked_id",
            )
            .fetch(&mut *conn);
            while let Some(row) = blocks.try_next().await? {
                to.publish(row.blocker_id, &member_blocked(row.blocker_id, row.blocked_id)).await?;
            }
        }
        if to.wants::<MemberFollowed>() {
            let mut follows = sqlx::query!(
                "select follower_id, followed_id, followed_at
                from social_graph.follows
                order by follower_id, followed_id",
            )
            .fetch(&mut *conn);
            while let Some(row) = follows.try_next().await? {
                let pair = FollowPair { follower_id: row.follower_id, followed_id: row.followed_id };
                to.publish(row.follower_id, &member_followed(pair, row.followed_at)).await?;
            }
        }
        // A community precedes its memberships.
        if to.wants::<CommunityChanged>() {
            let mut communities = sqlx::query!(
                "select id, name
                from social_graph.communities
                order by id",
            )
            .fetch(&mut *conn);
            while let Some(row) = communities.try_next().await? {
                to.publish(row.id, &community_changed(row.id, &row.name)).await?;
            }
        }
        if to.wants::<CommunityJoined>() {
            // Includes closed accounts: see `publish_community_joined`.
            let mut memberships = sqlx::query!(
                r#"select community_id, member_id, role as "role: Role"
                from social_graph.memberships
                order by community_id, member_id"#,
            )
            .fetch(&mut *conn);
            while let Some(row) = memberships.try_next().await? {
                to.publish(row.community_id, &community_joined(row.community_id, row.member_id, row.role)).await?;
            }
        }
        if to.wants::<EventChanged>() {
            let mut events = sqlx::query!(
                "select id, organiser_id, title, revision
                from social_graph.events
                order by id",
            )
            .fetch(&mut *conn);
            while let Some(row) = events.try_next().await? {
                to.publish(row.id, &changed(row.id, row.organiser_id, &row.title, row.revision)).await?;
            }
        }
        if to.wants::<EventAttended>() {
            let mut attendances = sqlx::query!(
                "select event_id, member_id
                from social_graph.attendances
                order by event_id, member_id",
            )
            .fetch(&mut *conn);
            while let Some(row) = attendances.try_next().await? {
                to.publish(row.event_id, &attended(row.event_id, row.member_id)).await?;
            }
        }
        Ok(())
    }
}
