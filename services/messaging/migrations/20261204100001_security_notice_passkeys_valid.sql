-- Reads messaging.notifications while other transactions read and write it.
alter table messaging.notifications validate constraint notifications_passkeys_check;
