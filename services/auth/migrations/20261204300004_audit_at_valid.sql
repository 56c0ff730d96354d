-- Reads the table while other transactions read and write it.
alter table auth.audit validate constraint audit_at_check;
