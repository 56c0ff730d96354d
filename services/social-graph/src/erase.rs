//! What happens to a member's rows when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the member's connections, memberships, attendances, blocks and dismissals on either side, and corrects the
/// counts kept of them. Events the member organised stay for those who attend. Doing it twice does nothing more.
pub async fn member(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from social_graph.connections
        where least(requester_id, recipient_id) = $1
            or greatest(requester_id, recipient_id) = $1",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "with left_behind as (
            delete from social_graph.memberships
            where member_id = $1
            returning community_id
        )
        update social_graph.communities c
        set member_count = c.member_count - 1
        from left_behind l
        where c.id = l.community_id",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "with cancelled as (
            delete from social_graph.attendances
            where member_id = $1
            returning event_id
        )
        update social_graph.events e
        set attendee_count = e.attendee_count - 1
        from cancelled c
        where e.id = c.event_id",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("update social_graph.events set organiser_id = null where organiser_id = $1", member)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from social_graph.blocks where blocker_id = $1 or blocked_id = $1", member)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from social_graph.dismissed_suggestions where member_id = $1 or dismissed_id = $1", member)
        .execute(db)
        .await?;
    Ok(())
}
