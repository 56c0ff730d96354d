-- The passkeys that remain after a password reset, named in its security notice.

alter table messaging.notifications
    add column passkeys text[] not null default '{}',
    add constraint notifications_passkeys_check check (cardinality(passkeys) <= 20) not valid;
