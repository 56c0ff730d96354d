-- The deadline of a reminder where it is a date without a time of day.

alter table messaging.notifications add column due_date date;
