-- Previews of the links in posts: see src/link_previews.rs.

create table feed.link_previews (
    id uuid,
    -- Who may learn that the link was used: the nil id for public posts, a community, or a member who writes a post. Each has a
    -- row of its own, so that the speed of a preview tells nothing about the posts of others.
    audience uuid not null,
    -- https, without fragment and tracking parameters.
    url text not null,
    -- What a post shows: see LinkPreview. Null until the page was fetched, and when it has no preview.
    card jsonb,
    -- The hashes of all objects that may exist in the picture store.
    pictures text[] not null default '{}',
    -- The last attempt that was not followed by another one.
    fetched_at timestamptz,
    attempts smallint not null default 0,
    -- When a worker may fetch the page. While one does, the end of its lease.
    due_at timestamptz,
    -- From when on a row without posts is deleted; null for a row that posts use.
    check_at timestamptz,
    created_at timestamptz not null,
    constraint link_previews_pkey primary key (id),
    constraint link_previews_audience_url_key unique (audience, url),
    constraint link_previews_url_check check (char_length(url) between 1 and 2048),
    constraint link_previews_card_check check (card is null or fetched_at is not null)
);

create index link_previews_due_idx on feed.link_previews (due_at) where due_at is not null;
create index link_previews_check_idx on feed.link_previews (check_at) where check_at is not null;

alter table feed.posts
    -- The preview of the first link of the text.
    add column link_preview_id uuid,
    -- The author removed the preview.
    add column without_link_preview boolean not null default false,
    add constraint posts_link_preview_id_fkey foreign key (link_preview_id) references feed.link_previews (id),
    -- Only a text has one.
    add constraint posts_link_preview_check
        check (
            link_preview_id is null
            or (not without_link_preview and num_nonnulls(title, repost_of, picture_hash, video_url, media) = 0)
        );

create index posts_link_preview_id_idx on feed.posts (link_preview_id) where link_preview_id is not null;
