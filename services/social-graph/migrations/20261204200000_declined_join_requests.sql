-- Delays of declined requests to join, invitations that their member does not see, and whether a banned member knew the community.

-- A declined request delays the next one. A ban and its end change nothing about it.
create table social_graph.community_request_declines (
    community_id uuid,
    member_id uuid,
    declined_at timestamptz not null,
    constraint community_request_declines_pkey primary key (community_id, member_id),
    constraint community_request_declines_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

-- For erasure and export.
create index community_request_declines_member_id_idx on social_graph.community_request_declines (member_id);

alter table social_graph.community_invitations
    -- The member blocks its author and does not see it. To the moderators it is one that waits for an answer.
    add column is_withheld boolean not null default false;

alter table social_graph.community_bans
    -- Of earlier bans it is unknown: their members do not learn the ids of private communities.
    add column was_member boolean not null default false;

-- An invitation is as valid as the role of its author.
delete from social_graph.community_invitations i
where i.declined_at is null
    and not exists (
        select
        from social_graph.memberships m
        where m.community_id = i.community_id
            and m.member_id = i.invited_by
            and m.role in ('owner', 'moderator')
    );
