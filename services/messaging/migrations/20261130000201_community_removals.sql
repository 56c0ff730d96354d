-- Notifications of content that an owner or moderator removed from a community. They have no actor.

alter table messaging.notifications
    -- The community of a removal; the subject is the removal, so that each has its own notification.
    add column community_id uuid,
    drop constraint notifications_kind_check,
    drop constraint notifications_member_count_check,
    add constraint notifications_community_id_check
        check ((community_id is not null) = (kind = 'community_content_removed')),
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked', 'mentioned',
            'content_removed', 'appeal_decided', 'verified', 'verification_ended', 'security',
            'community_content_removed'
        )
    ),
    add constraint notifications_member_count_check
        check (
            (member_count > 0)
            = (
                kind not in (
                    'posting_closed', 'application_due', 'content_removed', 'appeal_decided', 'verified',
                    'verification_ended', 'security', 'community_content_removed'
                )
            )
        );
