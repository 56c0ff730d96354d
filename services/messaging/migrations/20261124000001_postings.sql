-- The bell tells of what nobody did: a posting that a member applied for is closed.

alter table messaging.notifications
    drop constraint notifications_kind_check,
    drop constraint notifications_member_count_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed'
        )
    ),
    add constraint notifications_member_count_check check ((member_count > 0) = (kind <> 'posting_closed'));
