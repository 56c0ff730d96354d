-- Mentions of members: a text contains `@[<member id>]`, which readers see as the name. The limits count the text shown, so
-- that a stored text may have the characters of twenty mentions more: see src/mentions.rs.

alter table feed.posts
    drop constraint posts_content_check,
    add constraint posts_content_check
        check (
            char_length(content) <= case when title is null then 5780 else 40780 end
            and (content <> '' or repost_of is not null)
        );

alter table feed.comments
    drop constraint comments_content_check,
    add constraint comments_content_check check (char_length(content) between 1 and 2780);
