-- Trusted browsers are listed for their member, and sign-ins on browsers that an account does not know cause a notice.

alter table auth.trusted_browsers
    -- The beginning of the trust, which later sign-ins do not change; null for trusted_at.
    add column trusted_since timestamptz,
    -- The last use of a session that is gone; null for trusted_at.
    add column last_seen_at timestamptz,
    -- The browser at the last sign-in.
    add column user_agent text,
    add column address text,
    add constraint trusted_browsers_user_agent_check check (char_length(user_agent) <= 400),
    add constraint trusted_browsers_address_check check (char_length(address) <= 45);

update auth.trusted_browsers trusted
set user_agent = session.user_agent, address = session.address
from auth.sessions session
where session.id = trusted.session_id;

-- The browsers that an account signed in on. The token is that of the trusted browser, but the row outlives the trust: after a
-- change of the password the same browser is no new one.
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

create index known_browsers_member_id_idx on auth.known_browsers (member_id);

create index known_browsers_signed_in_at_idx on auth.known_browsers (signed_in_at);

insert into auth.known_browsers (browser_hash, member_id, signed_in_at)
select browser_hash, member_id, trusted_at
from auth.trusted_browsers;

alter table auth.audit
    drop constraint audit_event_check,
    add constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere', 'trust ended',
        'password changed', 'password refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
        'recovery codes made', 'reset link made',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    ));
