-- Notifications of replies to comments and of reactions to comments. Their subject is the comment.

alter table messaging.notifications
    -- The post of a comment; null for other subjects.
    add column post_id uuid,
    drop constraint notifications_kind_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due', 'comment_replied', 'comment_liked'
        )
    ),
    add constraint notifications_post_id_check
        check ((post_id is not null) = (kind in ('comment_replied', 'comment_liked')));

-- All notifications about the comments on a deleted post.
create index notifications_post_id_idx on messaging.notifications (post_id) where post_id is not null;
