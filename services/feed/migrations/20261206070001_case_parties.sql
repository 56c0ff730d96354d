-- The parties of a case do not decide it.

-- The members who may not decide the reports of an item and the appeal of its author: its owner, its reporters, and the moderators who
-- decided on it before.
create view feed.case_parties as
select kind, item_id, subject_id as member_id from feed.reports where subject_id is not null
union all
select kind, item_id, reporter_id from feed.reports where reporter_id is not null
union all
select kind, item_id, decided_by from feed.reports where decided_by is not null
union all
select kind, item_id, author_id from feed.removals
union all
select kind, item_id, removed_by from feed.removals where removed_by is not null
union all
select kind, item_id, appeal_decided_by from feed.removals where appeal_decided_by is not null;
