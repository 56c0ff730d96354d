-- Communities and who belongs to them.

create table social_graph.communities (
    id uuid,
    name text not null,
    description text,
    -- What the owner expects of members; shown before one joins.
    rules text,
    -- Kept in the transaction that adds or removes a membership.
    member_count bigint not null default 0,
    created_at timestamptz not null,
    constraint communities_pkey primary key (id),
    constraint communities_name_check check (char_length(name) between 1 and 100),
    constraint communities_member_count_check check (member_count >= 0)
);

-- Two communities of one name would look alike everywhere.
create unique index communities_name_key on social_graph.communities (lower(name));

create index communities_member_count_idx on social_graph.communities (member_count desc, id desc);

create table social_graph.memberships (
    community_id uuid,
    member_id uuid,
    role text not null,
    joined_at timestamptz not null,
    constraint memberships_pkey primary key (community_id, member_id),
    constraint memberships_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint memberships_role_check check (role in ('owner', 'member'))
);

create index memberships_member_id_idx on social_graph.memberships (member_id, joined_at desc);
