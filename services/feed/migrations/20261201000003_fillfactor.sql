-- The counters of a comment, and what a change of a comment writes of its post, are in no index. Free space on a page lets such a
-- row stay there, without new entries in the indexes.
alter table feed.comments set (fillfactor = 90);
alter table feed.posts set (fillfactor = 90);
