-- Reactions, comments and reposts change only counters of a post, and Postgres prepares and evaluates every check constraint of the
-- row for each statement: with eleven of them 40 % of the time of such an update. These three check the same. A constraint
-- with a function in plpgsql is prepared in a fraction of the time of its expressions.

-- The length of a text in bytes is known without reading it. Only of a text with more bytes than characters are allowed the characters
-- are counted.
create function feed.is_post_content(content text, title text, repost_of uuid) returns boolean
language plpgsql immutable parallel safe
as $$
declare
    longest integer := case when title is null then 5780 else 40780 end;
begin
    return (octet_length(content) <= longest or char_length(content) <= longest)
        and (content <> '' or repost_of is not null);
end
$$;

-- A picture excludes a video and a title, and a repost has none of the three. Only a text has a link preview.
create function feed.are_post_attachments(
    title text,
    excerpt text,
    repost_of uuid,
    picture_hash text,
    picture_alt text,
    picture_width integer,
    picture_height integer,
    video_url text,
    media jsonb,
    link_preview_id uuid,
    without_link_preview boolean
) returns boolean
language plpgsql immutable parallel safe
as $$
begin
    -- Most posts.
    if num_nonnulls(
        title, excerpt, picture_hash, picture_alt, picture_width, picture_height, video_url, media, link_preview_id
    ) = 0 then
        return true;
    end if;
    return (title is null) = (excerpt is null)
        and (title is null or char_length(title) between 1 and 200)
        and (excerpt is null or char_length(excerpt) <= 600)
        and num_nulls(picture_hash, picture_alt, picture_width, picture_height) in (0, 4)
        and (picture_alt is null or char_length(picture_alt) <= 1000)
        and (video_url is null or char_length(video_url) between 1 and 2048)
        and num_nonnulls(picture_hash, video_url) <= 1
        and num_nonnulls(picture_hash, title) <= 1
        and num_nonnulls(repost_of, title) <= 1
        and num_nonnulls(repost_of, picture_hash) <= 1
        and num_nonnulls(repost_of, video_url) <= 1
        and (media is null or num_nonnulls(title, video_url, repost_of) = 0)
        and (
            media -> 'pictures' is null
            or (picture_hash is not null and jsonb_array_length(media -> 'pictures') <= 3)
        )
        and (media -> 'pdf' is null or picture_hash is null)
        and (
            link_preview_id is null
            or (not without_link_preview and num_nonnulls(title, repost_of, picture_hash, video_url, media) = 0)
        );
end
$$;

-- Not validated here, which reads the table under a lock: the rows were checked by the constraints before. The next migration
-- validates them.
alter table feed.posts
    drop constraint posts_like_count_check,
    drop constraint posts_comment_count_check,
    drop constraint posts_share_count_check,
    drop constraint posts_content_check,
    drop constraint posts_title_check,
    drop constraint posts_excerpt_check,
    drop constraint posts_picture_check,
    drop constraint posts_video_url_check,
    drop constraint posts_attached_check,
    drop constraint posts_media_check,
    drop constraint posts_link_preview_check,
    add constraint posts_counts_check check (least(like_count, comment_count, share_count) >= 0) not valid,
    add constraint posts_content_check check (feed.is_post_content(content, title, repost_of)) not valid,
    add constraint posts_attachments_check
        check (
            feed.are_post_attachments(
                title, excerpt, repost_of, picture_hash, picture_alt, picture_width, picture_height, video_url, media,
                link_preview_id, without_link_preview
            )
        ) not valid;
