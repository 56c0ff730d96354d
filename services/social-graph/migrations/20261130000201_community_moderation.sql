-- Moderators of communities, bans, and the log of what owners and moderators did.

alter table social_graph.memberships
    drop constraint memberships_role_check,
    add constraint memberships_role_check check (role in ('owner', 'moderator', 'member'));

-- The choice of the next owner after an erasure.
create index memberships_community_id_moderator_idx on social_graph.memberships (community_id) where role = 'moderator';

create table social_graph.community_bans (
    community_id uuid,
    member_id uuid,
    -- Null without a stated reason.
    reason text,
    banned_at timestamptz not null,
    constraint community_bans_pkey primary key (community_id, member_id),
    constraint community_bans_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint community_bans_reason_check check (reason in ('rules', 'off_topic', 'spam', 'harassment', 'other'))
);

create index community_bans_newest_idx
    on social_graph.community_bans (community_id, banned_at desc, member_id desc);
-- For the erasure of a banned member.
create index community_bans_member_id_idx on social_graph.community_bans (member_id);

create table social_graph.community_log (
    id uuid,
    community_id uuid not null,
    action text not null,
    -- Null after that account is erased.
    actor_id uuid,
    -- The member concerned. Null after that account is erased.
    member_id uuid,
    -- The new role, for `role_set`.
    role text,
    reason text,
    created_at timestamptz not null,
    constraint community_log_pkey primary key (id),
    constraint community_log_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint community_log_action_check check (
        action in (
            'role_set', 'transferred', 'member_removed', 'member_banned', 'member_unbanned', 'post_removed',
            'comment_removed'
        )
    ),
    constraint community_log_role_check check (
        (role is not null) = (action = 'role_set') and role in ('owner', 'moderator', 'member')
    ),
    constraint community_log_reason_check check (reason in ('rules', 'off_topic', 'spam', 'harassment', 'other'))
);

create index community_log_newest_idx on social_graph.community_log (community_id, created_at desc, id desc);
-- For erasure and export.
create index community_log_actor_id_idx on social_graph.community_log (actor_id);
create index community_log_member_id_idx on social_graph.community_log (member_id);
