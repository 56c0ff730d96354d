-- Sensitive changes need a proof within the last ten minutes, after the sign-in or again in the session.

-- The last proof in the session: a password or a code. Null for created_at.
alter table auth.sessions add column proved_at timestamptz;

-- With the events of codes of authenticator apps, and those of passkeys, whose migration has an earlier number.
alter table auth.audit
    drop constraint audit_event_check,
    add constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere', 'sessions revoked', 'trust ended',
        'password changed', 'password refused', 'reauthenticated', 'code refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset by passkey', 'reset refused',
        'recovery codes made', 'reset link made',
        'passkey added', 'passkey renamed', 'passkey removed', 'totp added', 'totp removed',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    )) not valid;
