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
use crate::role::Role;

/// The current state as the facts that produce it.
#[derive(Clone, Copy, Debug)]
pub struct GraphSnapshot;

impl SnapshotSource for GraphSnapshot {
    async fn publish(&self, conn: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        if let Some(after) = to.start::<ConnectionRequested>() {
            let mut requests = sqlx::query!(
                "select id, requester_id, recipient_id
                from social_graph.connections
                where status = 'pending'
                    and id > $1
                order by id",
                after.id(0),
            )
            .fetch(&mut *conn);
            while let Some(row) = requests.try_next().await? {
                to.publish(&[&row.id], row.id, &connection_requested(row.id, row.requester_id, row.recipient_id))
                    .await?;
            }
        }
        if let Some(after) = to.start::<ConnectionAccepted>() {
            let mut connections = sqlx::query!(
                "select id, requester_id, recipient_id
                from social_graph.connections
                where status = 'accepted'
                    and id > $1
                order by id",
                after.id(0),
            )
            .fetch(&mut *conn);
            while let Some(row) = connections.try_next().await? {
                to.publish(&[&row.id], row.id, &connection_accepted(row.id, row.requester_id, row.recipient_id))
                    .await?;
            }
        }
        if let Some(after) = to.start::<MemberBlocked>() {
            let mut blocks = sqlx::query!(
                "select blocker_id, blocked_id
                from social_graph.blocks
                where (blocker_id, blocked_id) > ($1, $2)
                order by blocker_id, blocked_id",
                after.id(0),
                after.id(1),
            )
            .fetch(&mut *conn);
            while let Some(row) = blocks.try_next().await? {
                to.publish(
                    &[&row.blocker_id, &row.blocked_id],
                    row.blocker_id,
                    &member_blocked(row.blocker_id, row.blocked_id),
                )
                .await?;
            }
        }
        if let Some(after) = to.start::<MemberFollowed>() {
            let mut follows = sqlx::query!(
                "select follower_id, followed_id, followed_at
                from social_graph.follows
                where (follower_id, followed_id) > ($1, $2)
                order by follower_id, followed_id",
                after.id(0),
                after.id(1),
            )
            .fetch(&mut *conn);
            while let Some(row) = follows.try_next().await? {
                let fact = member_followed(row.follower_id, row.followed_id, row.followed_at);
                to.publish(&[&row.follower_id, &row.followed_id], row.follower_id, &fact).await?;
            }
        }
        // A community precedes its memberships.
        if let Some(after) = to.start::<CommunityChanged>() {
            let mut communities = sqlx::query!(
                "select id, name
                from social_graph.communities
                where id > $1
                order by id",
                after.id(0),
            )
            .fetch(&mut *conn);
            while let Some(row) = communities.try_next().await? {
                to.publish(&[&row.id], row.id, &community_changed(row.id, &row.name)).await?;
            }
        }
        if let Some(after) = to.start::<CommunityJoined>() {
            // Includes closed accounts: see `publish_community_joined`.
            let mut memberships = sqlx::query!(
                r#"select community_id, member_id, role as "role: Role"
                from social_graph.memberships
                where (community_id, member_id) > ($1, $2)
                order by community_id, member_id"#,
                after.id(0),
                after.id(1),
            )
            .fetch(&mut *conn);
            while let Some(row) = memberships.try_next().await? {
                to.publish(
                    &[&row.community_id, &row.member_id],
                    row.community_id,
                    &community_joined(row.community_id, row.member_id, row.role),
                )
                .await?;
            }
        }
        if let Some(after) = to.start::<EventChanged>() {
            let mut events = sqlx::query!(
                "select id, organiser_id, title, revision
                from social_graph.events
                where id > $1
                order by id",
                after.id(0),
            )
            .fetch(&mut *conn);
            while let Some(row) = events.try_next().await? {
                to.publish(&[&row.id], row.id, &changed(row.id, row.organiser_id, &row.title, row.revision)).await?;
            }
        }
        if let Some(after) = to.start::<EventAttended>() {
            let mut attendances = sqlx::query!(
                "select event_id, member_id
                from social_graph.attendances
                where (event_id, member_id) > ($1, $2)
                order by event_id, member_id",
                after.id(0),
                after.id(1),
            )
            .fetch(&mut *conn);
            while let Some(row) = attendances.try_next().await? {
                to.publish(&[&row.event_id, &row.member_id], row.event_id, &attended(row.event_id, row.member_id))
                    .await?;
            }
        }
        Ok(())
    }
}
