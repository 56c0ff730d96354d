//! The data export: every row of the member in this service, and no action of another member.

use data_export::{ExportError, ExportSource};
use portia_proto::social_graph::ExportMemberResponse;
use sqlx::PgConnection;
use uuid::Uuid;

pub type MemberExporter = data_export::Exporter<MemberExport>;
pub type ExportStream = data_export::RecordStream<ExportMemberResponse>;
type ExportWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of a member's export.
pub struct MemberExport;

impl ExportSource for MemberExport {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
        members(db, member, to).await?;
        communities(db, member, to).await?;
        events(db, member, to).await
    }
}

async fn members(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "connections" [id, member_id, requested_by_me, requested_at, accepted_at]
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", requested_at, answered_at as accepted_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status = 'accepted'
        order by id"#;

        "connection-requests" [id, member_id, requested_by_me, status, requested_at, answered_at]
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", status, requested_at, answered_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status <> 'accepted'
        order by id"#;

        "dismissed-suggestions" [member_id, dismissed_at]
        "select dismissed_id as member_id, dismissed_at
        from social_graph.dismissed_suggestions
        where member_id = $1
        order by dismissed_id";

        // Without the blocks against the member, which are confidential.
        "blocks" [member_id, blocked_at]
        "select blocked_id as member_id, blocked_at
        from social_graph.blocks
        where blocker_id = $1
        order by blocked_id";

        // Without the followers of the member.
        "followed-members" [member_id, followed_at]
        "select followed_id as member_id, followed_at
        from social_graph.follows
        where follower_id = $1
        order by followed_at, followed_id";
    );
    Ok(())
}

async fn communities(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "memberships" [community_id, community, role, joined_at]
        "select m.community_id, c.name as community, m.role, m.joined_at
        from social_graph.memberships m
        join social_graph.communities c on c.id = m.community_id
        where m.member_id = $1
        order by m.joined_at, m.community_id";

        "community-requests" [community_id, community, requested_at]
        "select r.community_id, c.name as community, r.requested_at
        from social_graph.community_requests r
        join social_graph.communities c on c.id = r.community_id
        where r.member_id = $1
        order by r.requested_at, r.community_id";

        // The last declined request to each community, without the moderator who declined it. A community that became private has
        // no name.
        "community-request-declines" [community_id, community, declined_at]
        r#"select
            d.community_id, case when c.visibility = 'public' then c.name end as "community?", d.declined_at
        from social_graph.community_request_declines d
        join social_graph.communities c on c.id = d.community_id
        where d.member_id = $1
        order by d.declined_at, d.community_id"#;

        // The invitations that the member received, without their authors; those that the member wrote are actions. A private
        // community has no name after the member declined, who does not see it.
        "community-invitations" [community_id, community, invited_at, declined_at]
        r#"select
            i.community_id, case when c.visibility = 'public' or i.declined_at is null then c.name end as "community?",
            i.invited_at, i.declined_at
        from social_graph.community_invitations i
        join social_graph.communities c on c.id = i.community_id
        where i.member_id = $1
            and not i.is_withheld
        order by i.invited_at, i.community_id"#;

        // Without the authors, and without the bans of private communities that the member never belonged to: they would reveal
        // that these exist. A private community has no name.
        "community-bans" [community_id, community, reason, banned_at]
        r#"select
            b.community_id, case when c.visibility = 'public' then c.name end as "community?", b.reason, b.banned_at
        from social_graph.community_bans b
        join social_graph.communities c on c.id = b.community_id
        where b.member_id = $1
            and (c.visibility = 'public' or b.was_member)
        order by b.banned_at, b.community_id"#;

        // The actions of the member as an owner or moderator. A private community that the member left has no name.
        "community-actions" [community_id, community, action, member_id, role, reason, acted_at]
        r#"select
            l.community_id,
            case
                when
                    c.visibility = 'public'
                    or exists (
                        select
                        from social_graph.memberships m
                        where m.community_id = c.id
                            and m.member_id = $1
                    )
                then c.name
            end as "community?",
            l.action, l.member_id, l.role, l.reason, l.created_at as acted_at
        from social_graph.community_log l
        join social_graph.communities c on c.id = l.community_id
        where l.actor_id = $1
        order by l.created_at, l.id"#;
    );
    Ok(())
}

async fn events(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "attendances" [event_id, event, starts_at, said_at]
        "select a.event_id, e.title as event, e.starts_at, a.said_at
        from social_graph.attendances a
        join social_graph.events e on e.id = a.event_id
        where a.member_id = $1
        order by a.said_at, a.event_id";

        "events-organised" [id, title, description, location, starts_at, ends_at, time_zone, created_at]
        "select id, title, description, location, starts_at, ends_at, time_zone, created_at
        from social_graph.events
        where organiser_id = $1
        order by starts_at, id";
    );
    Ok(())
}
