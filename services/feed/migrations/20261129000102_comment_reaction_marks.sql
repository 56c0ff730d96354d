-- Fills the new column of posts, without the lock that adding it takes. Repeat it after the last process of the release before
-- has ended: that one does not write the column.

update feed.posts
set has_comment_reactions = true
where id in (select post_id from feed.comments where like_count > 0);
