-- Fills the new column, without the lock that adding it takes: earlier versions stored a date as 23:59:59 in UTC.

update messaging.notifications
set due_date = (due_at at time zone 'UTC')::date
where kind = 'application_due'
    and (due_at at time zone 'UTC')::time >= time '23:59:59';
