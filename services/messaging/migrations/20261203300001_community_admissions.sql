-- Notifications of invitations to communities, of requests to join, and of their approval.

alter table messaging.notifications
    drop constraint notifications_kind_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked', 'mentioned',
            'content_removed', 'appeal_decided', 'verified', 'verification_ended', 'security',
            'community_content_removed', 'community_invited', 'community_join_requested', 'community_join_approved'
        )
    ) not valid;

-- An earlier release cannot read notifications of these kinds.
update messaging.compatibility set oldest = 20261203300001 where id = 1;
