-- Private communities, joining on request or by invitation.

alter table social_graph.communities
    add column visibility text not null default 'public',
    -- Who joins without a moderator's consent: anyone, or invited members only.
    add column joining text not null default 'open',
    add constraint communities_visibility_check check (visibility in ('public', 'private')) not valid,
    -- A member who is not invited cannot see a private community, and so cannot ask to join it.
    add constraint communities_joining_check
        check (joining in ('open', 'request', 'invitation') and (visibility = 'public' or joining = 'invitation'))
        not valid;

-- A copy of the visibility of the community: a search begins with the private communities of its member.
alter table social_graph.memberships add column is_private boolean not null default false;

create table social_graph.community_requests (
    community_id uuid,
    member_id uuid,
    requested_at timestamptz not null,
    constraint community_requests_pkey primary key (community_id, member_id),
    constraint community_requests_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

create index community_requests_oldest_idx
    on social_graph.community_requests (community_id, requested_at, member_id);
create index community_requests_member_id_idx on social_graph.community_requests (member_id);

create table social_graph.community_invitations (
    community_id uuid,
    member_id uuid,
    -- Null after that account is erased.
    invited_by uuid,
    invited_at timestamptz not null,
    -- A declined invitation stays, because it delays the next one.
    declined_at timestamptz,
    constraint community_invitations_pkey primary key (community_id, member_id),
    constraint community_invitations_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

create index community_invitations_newest_idx
    on social_graph.community_invitations (community_id, invited_at desc, member_id desc)
    where declined_at is null;
create index community_invitations_member_id_idx
    on social_graph.community_invitations (member_id, invited_at desc, community_id desc);
-- For blocks and erasure.
create index community_invitations_invited_by_idx on social_graph.community_invitations (invited_by);

alter table social_graph.community_log
    drop constraint community_log_action_check,
    add constraint community_log_action_check check (
        action in (
            'role_set', 'transferred', 'member_removed', 'member_banned', 'member_unbanned', 'post_removed',
            'comment_removed', 'succeeded', 'join_approved', 'join_declined', 'member_invited', 'invitation_withdrawn'
        )
    ) not valid;

-- An earlier release lists private communities.
update social_graph.compatibility set oldest = 20261203300001 where id = 1;
