-- The suspensions of members with the appeals against them, and the members who may not decide on a suspension.

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

insert into auth.suspensions (id, member_id, suspended_at, by_moderator, suspended_by, reason, note)
select
    gen_random_uuid(), account.id, account.suspended_at, coalesce(last.actor = 'moderator', false), moderator.id, last.reason,
    last.note
from auth.accounts account
left join lateral (
    select entry.actor, entry.actor_id, entry.reason, entry.note
    from auth.audit entry
    where entry.member_id = account.id
        and entry.event = 'suspended'
    order by entry.at desc, entry.id desc
    limit 1
) last on true
left join auth.accounts moderator on moderator.id = last.actor_id
where account.suspended_at is not null;

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

-- The disputes of before: the consumer of feed begins again, with a snapshot.
delete from auth.cursors where source = 'feed';

alter table auth.audit
    drop constraint audit_event_check,
    add constraint audit_event_check check (event in (
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
    )) not valid;
