-- What it takes for members to found communities, to run them and to announce events.

-- The name as compared: lower case, single spaces. Postgres folds the case of every alphabet only under some locales,
-- so the service does.
alter table social_graph.communities add column name_key text;

update social_graph.communities set name_key = lower(name);

alter table social_graph.communities
    alter column name_key set not null,
    add constraint communities_name_key_key unique (name_key),
    add constraint communities_description_check check (char_length(description) <= 500),
    add constraint communities_rules_check check (char_length(rules) <= 5000);

drop index social_graph.communities_name_key;

-- How many there are of what lists are told with, in the only row; kept in the transaction that adds or removes one, as
-- the last lock it takes.
create table social_graph.totals (
    id smallint,
    communities bigint not null,
    constraint totals_pkey primary key (id),
    constraint totals_id_check check (id = 1),
    constraint totals_communities_check check (communities >= 0)
);

insert into social_graph.totals (id, communities)
select 1, count(*)
from social_graph.communities;

-- A community's members as they are listed: owners, then whoever is longest in it. And whom it falls to when its owner's
-- account is gone.
create index memberships_community_id_shown_idx
    on social_graph.memberships (community_id, hidden, (role <> 'owner'), joined_at, member_id);

drop index social_graph.memberships_community_id_joined_at_idx;

-- Whether somebody else owns it too, however many members it has.
create index memberships_community_id_owner_idx on social_graph.memberships (community_id) where role = 'owner';

alter table social_graph.events
    -- Calendars tell a newer version of an event by it: one more with every change.
    add column revision integer not null default 0,
    add constraint events_revision_check check (revision >= 0),
    add constraint events_description_check check (char_length(description) <= 5000),
    add constraint events_location_check check (char_length(location) <= 200);
