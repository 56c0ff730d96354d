-- Accounts that the people who run Portia suspend, and what they do, in the audit.

alter table auth.accounts
    -- By an operator, until one restores it: nobody signs in, and nobody is shown the member. It has nothing to do with
    -- closed_at, which goes on counting.
    add column suspended_at timestamptz;

create index accounts_suspended_at_idx on auth.accounts (suspended_at) where suspended_at is not null;

alter table auth.audit
    -- 'operator' for what was done on the machine itself; null for what happened at the account's door.
    add column actor text,
    -- What it was done to besides the account, by kind and id: a post, a report.
    add column about text,
    -- The operator's own words. They go with the account.
    add column note text,
    -- Null where it concerns no account: a posting is nobody's.
    alter column member_id drop not null,
    add constraint audit_actor_check check (actor = 'operator'),
    add constraint audit_about_check check (char_length(about) <= 100),
    add constraint audit_note_check check (char_length(note) between 1 and 1000),
    add constraint audit_member_id_check check (member_id is not null or coalesce(actor = 'operator', false)),
    drop constraint audit_event_check;
alter table auth.audit add constraint audit_event_check check (event in (
    'registered', 'signed in', 'sign-in failed', 'signed out',
    'session ended', 'session displaced', 'signed out everywhere',
    'password changed', 'password refused',
    'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
    'recovery codes made', 'reset link made',
    'closed', 'reopened', 'erased', 'exported',
    'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed'
));

-- What operators did, the last first.
create index audit_operator_idx on auth.audit (at desc, id desc) where actor = 'operator';
