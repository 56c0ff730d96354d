-- Security notices: notifications of the kind security, with the browser that made the change. They have no actor.

alter table messaging.notifications
    add column user_agent text,
    add column address text,
    -- The time of the change; active_at is that of the notification.
    add column happened_at timestamptz,
    drop constraint notifications_kind_check,
    drop constraint notifications_member_count_check,
    add constraint notifications_user_agent_check check (char_length(user_agent) <= 400),
    add constraint notifications_address_check check (char_length(address) <= 45),
    add constraint notifications_happened_at_check check ((happened_at is not null) = (kind = 'security')),
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked', 'mentioned',
            'content_removed', 'appeal_decided', 'verified', 'verification_ended', 'security'
        )
    ),
    add constraint notifications_member_count_check
        check (
            (member_count > 0)
            = (
                kind not in (
                    'posting_closed', 'application_due', 'content_removed', 'appeal_decided', 'verified',
                    'verification_ended', 'security'
                )
            )
        );
