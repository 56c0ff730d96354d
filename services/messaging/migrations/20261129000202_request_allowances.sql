-- The allowance of message requests: how many members a sender may write to first in a day, and how many may wait for an answer.

-- The time at which the daily allowance of a sender is full again; each request moves it. Absent before the first one.
create table messaging.request_allowances (
    member_id uuid,
    full_at timestamptz not null,
    constraint request_allowances_pkey primary key (member_id)
);

-- The requests of a member that wait for an answer.
create index conversations_requested_by_idx on messaging.conversations (requested_by) where requested_by is not null;
