-- Members who may remove content of the others: owners and moderators of the community.
alter table feed.memberships add column moderates boolean not null default false;

-- The facts of existing memberships were applied before the column existed. The consumer starts from a snapshot again, which
-- it applies in one transaction.
delete from feed.cursors where source = 'social-graph';
