-- Accounts that were closed before closed_members was there were heard of and not kept: without a cursor auth tells all
-- that are, and all that are gone.
delete from messaging.cursors where source = 'auth';
