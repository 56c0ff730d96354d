-- Accounts that are gone or closed, and what of them still has to go: worked off in small transactions.

-- Members whose account is gone, until nothing names them any more.
create table messaging.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);

alter table messaging.closed_members
    -- Whether others may still be told of what they did.
    add column told_of boolean not null default true;

create index closed_members_told_of_idx on messaging.closed_members (member_id) where told_of;

-- What a member did, group by group, so that whole groups can be worked off.
drop index messaging.notification_causes_actor_id_idx;

create index notification_causes_actor_id_notification_id_idx
    on messaging.notification_causes (actor_id, notification_id);
