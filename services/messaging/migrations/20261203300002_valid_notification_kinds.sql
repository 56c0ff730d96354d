-- Validates the constraint of the migration before.

alter table messaging.notifications validate constraint notifications_kind_check;
