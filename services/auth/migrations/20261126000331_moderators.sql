-- Moderators, and their actions in the audit.

-- The members with the role. Operators grant and revoke it.
create table auth.moderators (
    member_id uuid,
    granted_at timestamptz not null,
    constraint moderators_pkey primary key (member_id),
    constraint moderators_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade
);

alter table auth.audit
    -- The moderator who acted; null for an operator. It outlives the account, like member_id.
    add column actor_id uuid,
    -- The stated reason of a decision.
    add column reason text,
    drop constraint audit_event_check,
    drop constraint audit_actor_check,
    drop constraint audit_member_id_check,
    add constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere',
        'password changed', 'password refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
        'recovery codes made', 'reset link made',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned'
    )),
    add constraint audit_actor_check check (actor in ('operator', 'moderator')),
    add constraint audit_actor_id_check check ((actor_id is not null) = coalesce(actor = 'moderator', false)),
    add constraint audit_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other',
            'no-violation', 'resolved'
        )
    ),
    add constraint audit_member_id_check check (member_id is not null or actor is not null);

-- The actions of operators and moderators, newest first.
drop index auth.audit_operator_idx;
create index audit_actions_idx on auth.audit (at desc, id desc) where actor is not null;
