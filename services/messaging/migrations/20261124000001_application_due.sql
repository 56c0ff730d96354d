-- Reminders of applications that the member has not sent to the employer.

alter table messaging.notifications
    -- The deadline of a reminder.
    add column due_at timestamptz,
    drop constraint notifications_kind_check,
    drop constraint notifications_member_count_check,
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted', 'application_due'
        )
    ),
    -- A closed posting and a reminder have no actor.
    add constraint notifications_member_count_check
        check ((member_count > 0) = (kind not in ('posting_closed', 'application_due'))),
    add constraint notifications_due_at_check check ((due_at is not null) = (kind = 'application_due'));
