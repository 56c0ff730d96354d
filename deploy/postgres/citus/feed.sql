-- Distributes rows of feed over the servers of Citus: deploy/manual/distribution.md. A superuser runs it once on the coordinator, after
-- the migrations. Citus commits another server before the coordinator: a crash between the two must not matter.

begin;

set local client_min_messages = warning;

create extension if not exists citus;
-- What changes a table or all of its shards, as migrations and VACUUM do, arrives at the servers as its owner.
alter role portia_feed_owner login;
do $$ begin execute format('grant connect on database %I to portia_feed_owner', current_database()); end $$;

-- By viewer. The totals of the authors stay: a write concerns many of them. A crash loses a few, as it loses the impressions in memory.
select create_distributed_table('feed.impressions', 'viewer_id', colocate_with => 'none');
-- By member: every statement names one. They are written together, and with no other table.
select create_distributed_table('feed.saved_items', 'member_id', colocate_with => 'feed.impressions');
select create_distributed_table('feed.savers', 'member_id', colocate_with => 'feed.impressions');

-- The rows that were copied.
select truncate_local_data_after_distributing_table(logicalrelid) from pg_dist_partition where partmethod = 'h';

commit;
