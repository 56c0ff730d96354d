-- Reads auth.audit while other transactions read and write it.
alter table auth.audit validate constraint audit_event_check;
