-- A copy of profile's audience: members whose profile only their connections may see are not suggested.

alter table social_graph.members
    add column unlisted boolean not null default false;

-- Suggestions by mutual connections exclude these.
create index members_unlisted_idx on social_graph.members (member_id) where unlisted;
