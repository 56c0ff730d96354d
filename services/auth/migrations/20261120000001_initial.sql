-- The outbox and the consumer state of the schema auth; the crate outbox reads and writes these tables.

-- One row per published fact, inserted in the transaction of the change. Debezium's outbox router can read these columns:
-- id, kind (type), key, payload, at (timestamp), traceparent (tracing).
create table auth.outbox (
    id bigserial,
    -- The position in commit order, without gaps. The sequencer assigns it after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts of one key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- The rows that wait for the sequencer.
create index outbox_unnumbered_idx on auth.outbox (id) where seq is null;

-- The last assigned position. The row is also the sequencers' lock.
create table auth.outbox_sequence (
    id smallint,
    n bigint not null,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

insert into auth.outbox_sequence (id, n) values (1, 0);

-- The position consumed from each source. It moves by compare-and-set in the transaction of the effect.
create table auth.cursors (
    source text,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

-- Facts that failed ten times, complete, so that an operator can publish them again. seq is 0 for a snapshot row.
create table auth.dead_facts (
    id bigserial,
    source text not null,
    seq bigint not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    traceparent text,
    error text not null,
    at timestamptz not null,
    constraint dead_facts_pkey primary key (id)
);

-- One row per account. The id is the member's id in every service.
create table auth.accounts (
    id uuid,
    -- As typed at registration.
    username text not null,
    -- In lower case: usernames are unique without regard to case.
    username_key text not null,
    -- A PHC string, which names its algorithm and parameters.
    password_hash text not null,
    created_at timestamptz not null,
    -- Set by the owner. The account is erased 14 days later, unless a sign-in clears it.
    closed_at timestamptz,
    -- Set and cleared by an operator, independently of closed_at: no sign-in, and the member is hidden.
    suspended_at timestamptz,
    constraint accounts_pkey primary key (id),
    constraint accounts_username_key unique (username_key),
    constraint accounts_username_check check (username ~ '^[A-Za-z0-9_.@+-]{3,64}$'),
    constraint accounts_username_key_check check (username_key = lower(username)),
    constraint accounts_password_hash_check check (password_hash like '$%')
);

create index accounts_closed_at_idx on auth.accounts (closed_at) where closed_at is not null;

create index accounts_suspended_at_idx on auth.accounts (suspended_at) where suspended_at is not null;

-- One row per signed-in browser. A session expires 14 days after last_seen_at, and at ends_at.
-- No index contains last_seen_at, so that its update stays heap-only.
create table auth.sessions (
    id uuid,
    -- SHA-256 of the token, so that a reader of this table cannot sign in.
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

-- One row per browser and account that signed in on it. Every sign-in gives the browser a new token and moves all its
-- rows to that token, so that a planted token becomes worthless.
create table auth.trusted_browsers (
    -- SHA-256 of the token.
    browser_hash bytea,
    member_id uuid,
    -- The last sign-in. Trust expires 60 days later.
    trusted_at timestamptz not null,
    constraint trusted_browsers_pkey primary key (browser_hash, member_id),
    constraint trusted_browsers_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint trusted_browsers_browser_hash_check check (octet_length(browser_hash) = 32)
);

create index trusted_browsers_member_id_idx on auth.trusted_browsers (member_id);

create index trusted_browsers_trusted_at_idx on auth.trusted_browsers (trusted_at);

-- Eight rows per set. A used code stays, for the owner's export.
create table auth.recovery_codes (
    member_id uuid,
    -- SHA-256 of the member's id and the code.
    code_hash bytea,
    made_at timestamptz not null,
    used_at timestamptz,
    constraint recovery_codes_pkey primary key (member_id, code_hash),
    constraint recovery_codes_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint recovery_codes_code_hash_check check (octet_length(code_hash) = 32)
);

-- The operator's link of an account. A new link replaces it, and a reset deletes it.
create table auth.reset_links (
    member_id uuid,
    -- SHA-256 of the token.
    token_hash bytea not null,
    ends_at timestamptz not null,
    constraint reset_links_pkey primary key (member_id),
    constraint reset_links_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint reset_links_token_hash_check check (octet_length(token_hash) = 32)
);

-- Sign-ins, changes of credentials and actions of operators. The rows contain no name and no secret. They outlive the
-- account, so they have no foreign key.
create table auth.audit (
    id uuid,
    -- Null for an operator's action without a member.
    member_id uuid,
    event text not null,
    session_id uuid,
    address text,
    at timestamptz not null,
    -- 'operator', or null for an event of the member.
    actor text,
    -- The kind and id of the content that an operator's action concerns.
    about text,
    -- The operator's reason. It is removed when the account is erased.
    note text,
    constraint audit_pkey primary key (id),
    constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere',
        'password changed', 'password refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
        'recovery codes made', 'reset link made',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed'
    )),
    constraint audit_address_check check (char_length(address) <= 45),
    constraint audit_actor_check check (actor = 'operator'),
    constraint audit_about_check check (char_length(about) <= 100),
    constraint audit_note_check check (char_length(note) between 1 and 1000),
    constraint audit_member_id_check check (member_id is not null or coalesce(actor = 'operator', false))
);

create index audit_member_id_at_idx on auth.audit (member_id, at desc);

-- The erased accounts, for the snapshot.
create index audit_erased_idx on auth.audit (member_id) where event = 'erased';

-- The actions of operators, newest first.
create index audit_operator_idx on auth.audit (at desc, id desc) where actor = 'operator';
