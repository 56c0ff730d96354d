-- Whose account is closed, as auth tells: nothing is said to them until it is open again. What was said stays.
create table messaging.closed_members (
    member_id uuid,
    constraint closed_members_pkey primary key (member_id)
);
