-- Sessions that ended within the last hour. A token outlives its session by a minute: a subscription of one of these sessions is
-- refused.

create table messaging.ended_sessions (
    session_id uuid,
    ended_at timestamptz not null,
    constraint ended_sessions_pkey primary key (session_id)
);

create index ended_sessions_ended_at_idx on messaging.ended_sessions (ended_at);
