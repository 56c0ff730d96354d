-- Verifications of members and the stewards of schools, in the audit of operators.

alter table auth.audit
    drop constraint audit_event_check,
    add constraint audit_event_check check (event in (
        'registered', 'signed in', 'sign-in failed', 'signed out',
        'session ended', 'session displaced', 'signed out everywhere',
        'password changed', 'password refused',
        'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
        'recovery codes made', 'reset link made',
        'closed', 'reopened', 'erased', 'exported',
        'suspended', 'restored', 'sign-in refused', 'removed', 'report dismissed',
        'moderator granted', 'moderator revoked', 'appeal upheld', 'appeal overturned',
        'verified', 'verification withdrawn', 'steward added', 'steward removed'
    ));
