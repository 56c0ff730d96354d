-- The tables of auth.

-- Accounts and sessions.

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
    -- Set and cleared by operators and moderators, independently of closed_at: no sign-in, and the member is hidden.
    suspended_at timestamptz,
    constraint accounts_pkey primary key (id),
    constraint accounts_username_key unique (username_key),
    constraint accounts_username_check check (username ~ '^[A-Za-z0-9_.@+-]{3,64}$'),
    constraint accounts_username_key_check check (username_key = lower(username)),
    constraint accounts_password_hash_check check (password_hash like '$%')
);

comment on column auth.accounts.id is 'exported in account; erased';
comment on column auth.accounts.username_key is 'not exported: the username in lower case';
comment on column auth.accounts.password_hash is 'not exported: a secret';

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
    -- The last proof in the session: a password or a code. Null for created_at. Sensitive changes need one within the last ten
    -- minutes.
    proved_at timestamptz,
    -- The last proof in the session by a passkey, a code of an authenticator app or a recovery code. Null without one.
    second_factor_at timestamptz,
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

comment on column auth.sessions.token_hash is 'not exported: a secret';
comment on column auth.sessions.member_id is 'exported in sessions; erased';

create index sessions_member_id_idx on auth.sessions (member_id);

-- Browsers.

-- One row per browser and account that signed in on it. Every sign-in gives the browser a new token and moves the row of
-- its account to that token, so that a planted token becomes worthless. The trust of other accounts in the browser ends.
create table auth.trusted_browsers (
    -- SHA-256 of the token.
    browser_hash bytea,
    member_id uuid,
    -- The session of the last sign-in: ending it from another browser ends the trust. The session may be gone: signing out
    -- on the browser itself keeps the trust.
    session_id uuid not null,
    -- The beginning of the trust, which later sign-ins do not change; null for trusted_at.
    trusted_since timestamptz,
    -- The last sign-in. Trust expires 60 days later.
    trusted_at timestamptz not null,
    -- The last use of a session that is gone; null for trusted_at.
    last_seen_at timestamptz,
    -- The browser at the last sign-in.
    user_agent text,
    address text,
    constraint trusted_browsers_pkey primary key (browser_hash, member_id),
    constraint trusted_browsers_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint trusted_browsers_browser_hash_check check (octet_length(browser_hash) = 32),
    constraint trusted_browsers_user_agent_check check (char_length(user_agent) <= 400),
    constraint trusted_browsers_address_check check (char_length(address) <= 45)
);

comment on column auth.trusted_browsers.browser_hash is 'not exported: a secret';
comment on column auth.trusted_browsers.member_id is 'exported in trusted-browsers; erased';
comment on column auth.trusted_browsers.session_id is 'no member';

create index trusted_browsers_member_id_idx on auth.trusted_browsers (member_id);

create index trusted_browsers_session_id_idx on auth.trusted_browsers (session_id);

create index trusted_browsers_trusted_at_idx on auth.trusted_browsers (trusted_at);

-- The browsers that an account signed in on: a sign-in on another one causes a notice. The token is that of the trusted
-- browser, but the row outlives the trust: after a change of the password the same browser is no new one.
create table auth.known_browsers (
    -- SHA-256 of the token.
    browser_hash bytea,
    member_id uuid,
    -- The last sign-in. The browser forgets its token 60 days later.
    signed_in_at timestamptz not null,
    constraint known_browsers_pkey primary key (browser_hash, member_id),
    constraint known_browsers_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint known_browsers_browser_hash_check check (octet_length(browser_hash) = 32)
);

comment on column auth.known_browsers.browser_hash is 'not exported: a secret';
comment on column auth.known_browsers.member_id is 'exported in known-browsers; erased';

create index known_browsers_member_id_idx on auth.known_browsers (member_id);

create index known_browsers_signed_in_at_idx on auth.known_browsers (signed_in_at);

-- Recovery.

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

comment on column auth.recovery_codes.member_id is 'exported in recovery-codes; erased';
comment on column auth.recovery_codes.code_hash is 'not exported: a secret';

-- The operator's link of an account. Another link replaces it, and a reset deletes it.
create table auth.reset_links (
    member_id uuid,
    -- SHA-256 of the token.
    token_hash bytea not null,
    ends_at timestamptz not null,
    constraint reset_links_pkey primary key (member_id),
    constraint reset_links_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint reset_links_token_hash_check check (octet_length(token_hash) = 32)
);

comment on column auth.reset_links.member_id is
    'not exported: a secret for a short time, which the member got from an operator; erased';

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

comment on column auth.passkeys.member_id is 'exported in passkeys; erased';
comment on column auth.passkeys.credential_id is 'not exported: sites could compare it';
comment on column auth.passkeys.credential is 'not exported: sites could compare the public key';

create index passkeys_member_id_idx on auth.passkeys (member_id);

-- A challenge that waits for its answer: five minutes, once. In the database, because another replica may get the answer.
create table auth.passkey_ceremonies (
    -- SHA-256 of the token that the browser returns.
    token_hash bytea,
    purpose text not null,
    -- The session of a registration or a proof; null for a sign-in and a reset, which have none.
    session_id uuid,
    -- The challenge and the policy, as the library serialises them.
    state jsonb not null,
    ends_at timestamptz not null,
    constraint passkey_ceremonies_pkey primary key (token_hash),
    constraint passkey_ceremonies_session_id_fkey foreign key (session_id) references auth.sessions (id) on delete cascade,
    constraint passkey_ceremonies_token_hash_check check (octet_length(token_hash) = 32),
    constraint passkey_ceremonies_purpose_check check (purpose in ('registration', 'sign-in', 'reset', 'proof')),
    constraint passkey_ceremonies_session_id_check
        check ((session_id is not null) = (purpose in ('registration', 'proof')))
);

comment on column auth.passkey_ceremonies.session_id is 'not exported: a challenge for five minutes; erased';

create index passkey_ceremonies_session_id_idx on auth.passkey_ceremonies (session_id) where session_id is not null;

create index passkey_ceremonies_ends_at_idx on auth.passkey_ceremonies (ends_at);

-- The secrets that members share with their authenticator apps (RFC 6238). A sign-in needs a code once a secret is confirmed.
create table auth.totp_secrets (
    member_id uuid,
    -- A code can only be computed from the secret itself. It is encrypted: a nonce of 12 bytes, the 20 bytes of the secret, a
    -- tag of 16 bytes.
    secret bytea not null,
    -- The key that encrypted the secret; null for a secret in clear.
    key_id text,
    created_at timestamptz not null,
    -- The first code proves that the app has the secret; null before.
    confirmed_at timestamptz,
    -- The step of 30 seconds of the last used code: each is used once.
    last_step bigint,
    constraint totp_secrets_pkey primary key (member_id),
    constraint totp_secrets_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint totp_secrets_secret_check check (octet_length(secret) = case when key_id is null then 20 else 48 end),
    constraint totp_secrets_key_id_check check (key_id ~ '^[0-9a-f]{16}$'),
    constraint totp_secrets_last_step_check check ((last_step is not null) = (confirmed_at is not null))
);

comment on column auth.totp_secrets.member_id is 'exported in authenticator-app; erased';
comment on column auth.totp_secrets.secret is 'not exported: a secret';
comment on column auth.totp_secrets.key_id is 'not exported: names a key of the operator';

-- Moderators, suspensions and the members who may not decide on them.

-- The members with the role. Operators grant and revoke it.
create table auth.moderators (
    member_id uuid,
    granted_at timestamptz not null,
    constraint moderators_pkey primary key (member_id),
    constraint moderators_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade
);

comment on column auth.moderators.member_id is 'exported in moderator; erased';

create table auth.suspensions (
    id uuid,
    member_id uuid not null,
    suspended_at timestamptz not null,
    -- A moderator suspended the member, who may appeal. Operators decide outside of Portia on appeals against their own suspensions.
    by_moderator boolean not null,
    -- The moderator; null for an operator, and after the erasure of the moderator.
    suspended_by uuid,
    reason text,
    note text,
    -- Null while the suspension lasts.
    ended_at timestamptz,
    -- The moderator who ended it.
    restored_by uuid,
    -- SHA-256 of the token that the last refused sign-in returned, with which the member appeals.
    appeal_token_hash bytea,
    appeal_token_ends_at timestamptz,
    appeal text,
    appealed_at timestamptz,
    appeal_outcome text,
    appeal_reason text,
    appeal_note text,
    appeal_decided_by uuid,
    appeal_decided_at timestamptz,
    constraint suspensions_pkey primary key (id),
    constraint suspensions_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint suspensions_suspended_by_fkey foreign key (suspended_by) references auth.accounts (id) on delete set null,
    constraint suspensions_restored_by_fkey foreign key (restored_by) references auth.accounts (id) on delete set null,
    constraint suspensions_appeal_decided_by_fkey
        foreign key (appeal_decided_by) references auth.accounts (id) on delete set null,
    constraint suspensions_suspended_by_check check (by_moderator or suspended_by is null),
    constraint suspensions_note_check check (char_length(note) between 1 and 1000),
    constraint suspensions_appeal_token_check check (
        octet_length(appeal_token_hash) = 32 and (appeal_token_hash is null) = (appeal_token_ends_at is null)
    ),
    constraint suspensions_appeal_check
        check (char_length(appeal) between 1 and 1000 and (appeal is null) = (appealed_at is null)),
    constraint suspensions_appealed_at_check check (appealed_at is null or by_moderator),
    constraint suspensions_appeal_outcome_check check (
        appeal_outcome in ('upheld', 'overturned')
        and (appeal_outcome is null) = (appeal_decided_at is null)
        and (appeal_outcome is null or appealed_at is not null)
    ),
    constraint suspensions_appeal_note_check check (char_length(appeal_note) between 1 and 1000),
    constraint suspensions_appeal_decided_by_check check (appeal_decided_by <> suspended_by)
);

comment on column auth.suspensions.member_id is 'exported in suspension-appeals; erased';
comment on column auth.suspensions.suspended_by is 'not exported: an action of a moderator, about another member; erased';
comment on column auth.suspensions.reason is 'not exported: it may reveal who reported the member';
comment on column auth.suspensions.note is 'not exported: a remark for moderators';
comment on column auth.suspensions.restored_by is 'not exported: an action of a moderator, about another member; erased';
comment on column auth.suspensions.appeal_token_hash is 'not exported: a secret';
comment on column auth.suspensions.appeal_reason is 'not exported: it may reveal who reported the member';
comment on column auth.suspensions.appeal_note is 'not exported: a remark for moderators';
comment on column auth.suspensions.appeal_decided_by is 'not exported: an action of a moderator, about another member; erased';

-- A member has at most one suspension that lasts.
create unique index suspensions_lasting_key on auth.suspensions (member_id) where ended_at is null;
create unique index suspensions_appeal_token_hash_key on auth.suspensions (appeal_token_hash);
-- The appeals that wait, oldest first, and the decided ones, newest first.
create index suspensions_open_appeals_idx on auth.suspensions (appealed_at, id)
    where appealed_at is not null and appeal_outcome is null and ended_at is null;
create index suspensions_decided_appeals_idx on auth.suspensions (appeal_decided_at desc, id desc)
    where appeal_decided_at is not null;
-- For the erasure of members, and for the parties of a suspension.
create index suspensions_member_id_idx on auth.suspensions (member_id);
create index suspensions_suspended_by_idx on auth.suspensions (suspended_by) where suspended_by is not null;
create index suspensions_restored_by_idx on auth.suspensions (restored_by) where restored_by is not null;
create index suspensions_appeal_decided_by_idx on auth.suspensions (appeal_decided_by) where appeal_decided_by is not null;

-- The disputes of two members that feed knows: reports, and appeals against the removals of moderators. Each side may be a moderator
-- who is about to decide on a suspension of the other one.
create table auth.disputes (
    -- `report` or `appeal`.
    kind text,
    -- That of the report or the removal.
    id uuid,
    -- The kind and id of the content: `post 0193..`. A decision closes the reports of one item together.
    about text not null,
    -- The reporter, or the author who appealed.
    claimant_id uuid not null,
    -- The owner of the reported item, or the moderator who removed it.
    respondent_id uuid not null,
    is_open boolean not null,
    constraint disputes_pkey primary key (kind, id),
    constraint disputes_kind_check check (kind in ('report', 'appeal')),
    constraint disputes_about_check check (char_length(about) <= 100),
    constraint disputes_claimant_id_fkey foreign key (claimant_id) references auth.accounts (id) on delete cascade,
    constraint disputes_respondent_id_fkey foreign key (respondent_id) references auth.accounts (id) on delete cascade
);

comment on column auth.disputes.id is 'no member';
comment on column auth.disputes.claimant_id is 'not exported: feed exports the reports and appeals of the member; erased';
comment on column auth.disputes.respondent_id is 'not exported: reports of the member by others are confidential; erased';

create index disputes_claimant_id_idx on auth.disputes (claimant_id, respondent_id);
create index disputes_respondent_id_idx on auth.disputes (respondent_id, claimant_id);
create index disputes_about_idx on auth.disputes (about) where is_open;

-- The members who may not suspend or restore an account: its reporters, those that its member reports, and those who decided
-- on the account or removed content whose author appealed.
create view auth.case_parties as
select respondent_id as account_id, claimant_id as member_id from auth.disputes
union all
select claimant_id, respondent_id from auth.disputes where is_open or kind = 'appeal'
union all
select member_id, suspended_by from auth.suspensions where suspended_by is not null
union all
select member_id, restored_by from auth.suspensions where restored_by is not null
union all
select member_id, appeal_decided_by from auth.suspensions where appeal_decided_by is not null;

-- The audit.

-- Sign-ins, changes of credentials and actions of operators and moderators. The rows contain no name and no secret. They
-- outlive the account, so they have no foreign key.
--
-- They form a chain: each row contains the hash of the row before it and of its own content, so that a changed, removed or
-- inserted row is found (`portia admin audit verify`). The role that serves can only append rows and read them.
create table auth.audit (
    id uuid,
    -- Null for an operator's action without a member.
    member_id uuid,
    event text not null,
    session_id uuid,
    address text,
    at timestamptz not null,
    -- 'operator', 'moderator', or null for an event of the member.
    actor text,
    -- The moderator who acted; null for an operator. It outlives the account, like member_id.
    actor_id uuid,
    -- The kind and id of the content that an action concerns.
    about text,
    -- The stated reason of a decision.
    reason text,
    -- What the operator or moderator wrote about it. It is removed when the account is erased.
    note text,
    -- The place in the chain, without gaps. Null until `auth.seal_audit` has linked the row, a second after it was written.
    seq bigint,
    -- Random. It is removed with the address and the note when the account is erased; then nothing leads from the hash back to them.
    salt bytea,
    -- The hash of the salt, the address and the note, which the chain contains in place of them.
    private_hash bytea,
    -- The hash of the row before it and of this row.
    hash bytea,
    constraint audit_pkey primary key (id),
    constraint audit_member_id_check check (member_id is not null or actor is not null),
    constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'second factor missing', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere', 'sessions revoked', 'trust ended',
        'password changed', 'password refused', 'reauthenticated', 'code refused', 'passkey refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset by passkey', 'reset refused',
        'recovery codes made', 'reset link made',
        'passkey added', 'passkey renamed', 'passkey removed', 'passkeys removed', 'totp added', 'totp removed',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'suspension appealed', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    )),
    constraint audit_address_check check (char_length(address) <= 45),
    -- Another time has no number, and would stop the links.
    constraint audit_at_check check (isfinite(at)),
    constraint audit_actor_check check (actor in ('operator', 'moderator')),
    constraint audit_actor_id_check check ((actor_id is not null) = coalesce(actor = 'moderator', false)),
    constraint audit_about_check check (char_length(about) <= 100),
    constraint audit_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other',
            'no-violation', 'resolved'
        )
    ),
    constraint audit_note_check check (char_length(note) between 1 and 1000)
);

comment on column auth.audit.member_id is
    'exported in audit; not erased: operators trace misuse by ids, without names and addresses';
comment on column auth.audit.session_id is 'no member';
comment on column auth.audit.address is 'erased';
comment on column auth.audit.actor is 'not exported: the events of operators and moderators would reveal reports of others';
comment on column auth.audit.actor_id is 'not exported: an action of a moderator, about another member; not erased: as the member';
comment on column auth.audit.about is 'not exported: as the actor';
comment on column auth.audit.reason is 'not exported: as the actor';
comment on column auth.audit.note is 'not exported: as the actor; erased';
comment on column auth.audit.salt is 'not exported: a random value of the chain; erased';
comment on column auth.audit.private_hash is 'not exported: a hash of the chain';
comment on column auth.audit.hash is 'not exported: a hash of the chain';

create index audit_member_id_at_idx on auth.audit (member_id, at desc);

-- The erased accounts, for the snapshot.
create index audit_erased_idx on auth.audit (member_id) where event = 'erased';

-- The actions of operators and moderators, newest first.
create index audit_actions_idx on auth.audit (at desc, id desc) where actor is not null;

-- A place of the chain has one row, and the chain is read in its order.
create unique index audit_seq_key on auth.audit (seq);

-- The rows that are not in the chain: nearly always none.
create index audit_unsealed_idx on auth.audit (at, id) where seq is null;

-- The newest row of the chain. The row is the lock of those who extend it.
create table auth.audit_head (
    id smallint,
    seq bigint not null,
    hash bytea not null,
    constraint audit_head_pkey primary key (id),
    constraint audit_head_id_check check (id = 1),
    constraint audit_head_seq_check check (seq >= 0),
    constraint audit_head_hash_check check (octet_length(hash) = 32)
);

insert into auth.audit_head (id, seq, hash) values (1, 0, decode(repeat('00', 32), 'hex'));

-- Values as one text: the length in bytes, a colon and the value, or a minus sign for null.
create function auth.audit_text(parts text[]) returns text
    language sql
    immutable
    set search_path = pg_catalog, pg_temp
as $$
    select string_agg(coalesce(octet_length(part)::text || ':' || part, '-'), '' order by place)
    from unnest(parts) with ordinality as f (part, place)
$$;

-- Links rows that were committed since the last call, at most `batch`, and returns their number. A writer does not wait for it: the order
-- is that in which this function sees the rows.
create function auth.seal_audit(batch integer) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    head auth.audit_head;
    entry auth.audit;
    sealed integer := 0;
begin
    if not exists (select from auth.audit where seq is null) then
        return 0;
    end if;
    select * into strict head from auth.audit_head where id = 1 for update;
    -- Locked: an erasure at the same time has removed the address already, or waits.
    for entry in
        select *
        from auth.audit
        where seq is null
        order by at, id
        limit batch
        for update
    loop
        head.seq := head.seq + 1;
        entry.salt := uuid_send(gen_random_uuid());
        entry.private_hash := sha256(
            entry.salt || convert_to(auth.audit_text(array[entry.address, entry.note]), 'UTF8')
        );
        head.hash := sha256(head.hash || convert_to(auth.audit_text(array[
            head.seq::text, entry.id::text, entry.member_id::text, entry.event, entry.session_id::text,
            (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor, entry.actor_id::text, entry.about, entry.reason,
            encode(entry.private_hash, 'hex')
        ]), 'UTF8'));
        update auth.audit
        set seq = head.seq, salt = entry.salt, private_hash = entry.private_hash, hash = head.hash
        where id = entry.id;
        sealed := sealed + 1;
    end loop;
    update auth.audit_head set seq = head.seq, hash = head.hash where id = 1;
    return sealed;
end
$$;

-- Removes the addresses and notes of an erased member. Those of an existing account stay.
create function auth.redact_audit(erased_member_id uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
    with locked as (
        select id
        from auth.audit
        where member_id = erased_member_id
            and (address is not null or note is not null)
            and not exists (select from auth.accounts where id = erased_member_id)
        order by at, id
        for update
    )
    update auth.audit
    set address = null, note = null, salt = null
    where id in (select id from locked)
$$;

-- The rights of the role that serves, if bootstrap.sql has made it. A later column needs its own `grant insert`.
do $$
begin
    revoke execute on function auth.audit_text(text[]), auth.seal_audit(integer), auth.redact_audit(uuid) from public;
    if to_regrole('portia_auth') is not null then
        revoke insert, update, delete on auth.audit, auth.audit_head from portia_auth;
        grant insert (id, member_id, event, session_id, address, at, actor, actor_id, about, reason, note)
            on auth.audit to portia_auth;
        grant execute on function auth.seal_audit(integer), auth.redact_audit(uuid) to portia_auth;
    end if;
end
$$;
