-- Reads feed.posts while other transactions read and write it.
alter table feed.posts
    validate constraint posts_counts_check,
    validate constraint posts_content_check,
    validate constraint posts_attachments_check;
