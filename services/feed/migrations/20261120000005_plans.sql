-- Statistics for the planner: the average post has a handful of comments, the ones people read have thousands.
--
-- Believing in the average, Postgres fetches everything under a post and sorts it, and looks for one member's reaction
-- among all of the post's. Told that a post has a hundredth of the table, it walks the index from the newest and stops
-- at the limit, which costs the same for either kind. In force from the next analyze on.

alter table feed.reactions alter column post_id set (n_distinct = 100);
alter table feed.comments alter column post_id set (n_distinct = 100);
