-- Notifications of verifications, and of their end. They have no actor.

alter table messaging.notifications
    drop constraint notifications_kind_check,
    drop constraint notifications_member_count_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked', 'mentioned',
            'content_removed', 'appeal_decided', 'verified', 'verification_ended'
        )
    ),
    add constraint notifications_member_count_check
        check (
            (member_count > 0)
            = (
                kind not in (
                    'posting_closed', 'application_due', 'content_removed', 'appeal_decided', 'verified',
                    'verification_ended'
                )
            )
        );
