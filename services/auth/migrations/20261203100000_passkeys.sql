-- Passkeys (WebAuthn credentials), and the ceremonies that create and use them.

create table auth.passkeys (
    id uuid,
    member_id uuid not null,
    -- Chosen by the authenticator.
    credential_id bytea not null,
    -- Given by the member.
    name text not null,
    -- The public key with the properties of its registration, as the library serialises them. Counter and backup flags change:
    -- their columns count.
    credential jsonb not null,
    -- The signature counter of the last use; 0 for authenticators that do not count.
    sign_count bigint not null,
    -- Whether the authenticator may copy the key to other devices, and whether it has done so.
    backup_eligible boolean not null,
    backed_up boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    constraint passkeys_pkey primary key (id),
    constraint passkeys_credential_id_key unique (credential_id),
    constraint passkeys_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint passkeys_credential_id_check check (octet_length(credential_id) between 1 and 1023),
    constraint passkeys_name_check check (char_length(name) between 1 and 60),
    constraint passkeys_sign_count_check check (sign_count between 0 and 4294967295)
);

create index passkeys_member_id_idx on auth.passkeys (member_id);

-- A challenge that waits for its answer: five minutes, once. In the database, because another replica may get the answer.
create table auth.passkey_ceremonies (
    -- SHA-256 of the token that the browser returns.
    token_hash bytea,
    purpose text not null,
    -- The session of a registration; null for a sign-in and a reset, which have none.
    session_id uuid,
    -- The challenge and the policy, as the library serialises them.
    state jsonb not null,
    ends_at timestamptz not null,
    constraint passkey_ceremonies_pkey primary key (token_hash),
    constraint passkey_ceremonies_session_id_fkey foreign key (session_id) references auth.sessions (id) on delete cascade,
    constraint passkey_ceremonies_token_hash_check check (octet_length(token_hash) = 32),
    constraint passkey_ceremonies_purpose_check check (purpose in ('registration', 'sign-in', 'reset')),
    constraint passkey_ceremonies_session_id_check check ((session_id is not null) = (purpose = 'registration'))
);

create index passkey_ceremonies_session_id_idx on auth.passkey_ceremonies (session_id) where session_id is not null;

create index passkey_ceremonies_ends_at_idx on auth.passkey_ceremonies (ends_at);

alter table auth.audit
    drop constraint audit_event_check,
    add constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere', 'trust ended',
        'password changed', 'password refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset by passkey', 'reset refused',
        'recovery codes made', 'reset link made',
        'passkey added', 'passkey renamed', 'passkey removed',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    )) not valid;
