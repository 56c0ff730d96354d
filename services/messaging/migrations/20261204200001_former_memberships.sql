-- What a community was called when a member left it: notifications show a former member no later name.

create table messaging.former_memberships (
    community_id uuid,
    member_id uuid,
    name text not null,
    constraint former_memberships_pkey primary key (community_id, member_id)
);

-- For erasure.
create index former_memberships_member_id_idx on messaging.former_memberships (member_id);
