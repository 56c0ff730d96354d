-- Reads the tables while other transactions read and write them.
alter table auth.audit validate constraint audit_event_check;

alter table auth.passkey_ceremonies
    validate constraint passkey_ceremonies_purpose_check,
    validate constraint passkey_ceremonies_session_id_check;
