-- Notifications of mentions. Their subject is the post, or the comment with its post.

alter table messaging.notifications
    drop constraint notifications_kind_check,
    drop constraint notifications_post_id_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked', 'mentioned'
        )
    ),
    add constraint notifications_post_id_check
        check (
            case
                when post_id is null then kind not in ('comment_replied', 'comment_liked')
                else kind in ('comment_replied', 'comment_liked', 'mentioned')
            end
        );
