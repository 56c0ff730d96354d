-- Who may sign in, who is signed in, and what was tried.

-- One row a person. The id is the member's id in every other service.
create table auth.accounts (
    id uuid,
    -- As typed when registering; shown so.
    username text not null,
    -- Usernames are matched without regard to case.
    username_key text not null,
    -- A PHC string: it names its own algorithm and parameters.
    password_hash text not null,
    created_at timestamptz not null,
    constraint accounts_pkey primary key (id),
    constraint accounts_username_key unique (username_key),
    constraint accounts_username_check check (username ~ '^[A-Za-z0-9_.@+-]{3,64}$'),
    constraint accounts_username_key_check check (username_key = lower(username)),
    constraint accounts_password_hash_check check (password_hash like '$%')
);

-- One row a signed-in browser. A session is over 14 days after it was last seen, and at ends_at whatever happens.
-- last_seen_at is in no index, so that sliding it stays a heap-only update.
create table auth.sessions (
    id uuid,
    -- SHA-256 of the token: whoever reads this table cannot sign in with it.
    token_hash bytea not null,
    member_id uuid not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    ends_at timestamptz not null,
    user_agent text,
    address text,
    constraint sessions_pkey primary key (id),
    constraint sessions_token_hash_key unique (token_hash),
    constraint sessions_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint sessions_token_hash_check check (octet_length(token_hash) = 32),
    constraint sessions_ends_at_check check (ends_at > created_at),
    constraint sessions_user_agent_check check (char_length(user_agent) <= 400),
    constraint sessions_address_check check (char_length(address) <= 45)
) with (fillfactor = 85);

create index sessions_member_id_idx on auth.sessions (member_id);

-- What happened to an account's door. It outlives the account (ids only), so nothing refers to it and it refers to
-- nothing; it holds no name, no password and no token.
create table auth.audit (
    id uuid,
    member_id uuid not null,
    event text not null,
    session_id uuid,
    address text,
    at timestamptz not null,
    constraint audit_pkey primary key (id),
    constraint audit_event_check check (event in ('registered', 'signed in', 'sign-in failed', 'signed out')),
    constraint audit_address_check check (char_length(address) <= 45)
);

create index audit_member_id_at_idx on auth.audit (member_id, at desc);
