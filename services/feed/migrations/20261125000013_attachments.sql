-- What a post may have besides its words: a title, which makes it an article, and a picture or the address of a page with
-- a video.

alter table feed.posts
    add column title text,
    -- The beginning of an article as plain text, which lists show instead of the whole: src/markdown.rs.
    add column excerpt text,
    -- What feed.pictures knows of the post's picture, so that a page need not look there, and what its author says of it.
    add column picture_hash text,
    add column picture_alt text,
    add column picture_width integer,
    add column picture_height integer,
    add column video_url text,
    drop constraint posts_content_check,
    add constraint posts_content_check
        check (
            char_length(content) <= case when title is null then 5000 else 40000 end
            and (content <> '' or repost_of is not null)
        ),
    add constraint posts_title_check check (char_length(title) between 1 and 200),
    add constraint posts_excerpt_check check ((excerpt is null) = (title is null) and char_length(excerpt) <= 600),
    add constraint posts_picture_check
        check (
            num_nulls(picture_hash, picture_alt, picture_width, picture_height) in (0, 4)
            and char_length(picture_alt) <= 1000
        ),
    add constraint posts_video_url_check check (char_length(video_url) between 1 and 2048),
    -- One of them, and a repost has none.
    add constraint posts_attached_check
        check (
            num_nonnulls(picture_hash, video_url) <= 1
            and num_nonnulls(picture_hash, title) <= 1
            and num_nonnulls(repost_of, title) <= 1
            and num_nonnulls(repost_of, picture_hash) <= 1
            and num_nonnulls(repost_of, video_url) <= 1
        );

-- Account of the pictures in the store, so that none stays there for nobody: src/pictures.rs.
create table feed.pictures (
    id uuid,
    -- Null once their account is gone.
    member_id uuid,
    hash text not null,
    width integer not null,
    height integer not null,
    -- Which post shows it.
    post_id uuid,
    -- Since when none does: it waits for one, or the one that did is gone.
    unused_since timestamptz,
    constraint pictures_pkey primary key (id),
    constraint pictures_hash_key unique (hash),
    constraint pictures_hash_check check (hash ~ '^[0-9a-f]{64}$'),
    constraint pictures_size_check check (width between 1 and 4096 and height between 1 and 4096),
    constraint pictures_post_id_key unique (post_id),
    constraint pictures_unused_since_check check ((post_id is null) = (unused_since is not null))
);

create index pictures_member_id_idx on feed.pictures (member_id);

create index pictures_unused_since_idx on feed.pictures (unused_since)
    where post_id is null;
