-- Members whose account is gone and whose rows still have to go: worked off in small transactions.

create table feed.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);
