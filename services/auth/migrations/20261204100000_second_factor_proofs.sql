-- Proofs in a session that include the second factor, passkeys as such proofs, and more events of the audit.

-- The last proof in the session by a passkey, a code of an authenticator app or a recovery code. Null without one.
alter table auth.sessions add column second_factor_at timestamptz;

alter table auth.passkey_ceremonies
    drop constraint passkey_ceremonies_purpose_check,
    drop constraint passkey_ceremonies_session_id_check,
    add constraint passkey_ceremonies_purpose_check
        check (purpose in ('registration', 'sign-in', 'reset', 'proof')) not valid,
    add constraint passkey_ceremonies_session_id_check
        check ((session_id is not null) = (purpose in ('registration', 'proof'))) not valid;

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
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    )) not valid;
