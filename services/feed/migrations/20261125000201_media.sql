-- Several pictures in a post, and a PDF file.

alter table feed.posts
    -- The pictures after the first one, and the description of the PDF file: see src/media.rs. Null for most posts. Copies, so
    -- that a page reads one table.
    add column media jsonb,
    add constraint posts_media_check
        check (
            (media is null or num_nonnulls(title, video_url, repost_of) = 0)
            and (media -> 'pictures' is null or (picture_hash is not null and jsonb_array_length(media -> 'pictures') <= 3))
            and (media -> 'pdf' is null or picture_hash is null)
        );

-- A post shows up to four pictures.
alter table feed.pictures drop constraint pictures_post_id_key;
create index pictures_post_id_idx on feed.pictures (post_id)
    where post_id is not null;

-- PDF files of posts. The bytes are in the row: a file is erased in the transaction of its post, and only read with the
-- visibility of the post. One that no post uses within a day is deleted.
create table feed.pdf_files (
    id uuid,
    member_id uuid not null,
    -- The post that shows the file.
    post_id uuid,
    -- The name on the computer of the member.
    name text not null,
    -- In bytes.
    size integer not null,
    content bytea not null,
    uploaded_at timestamptz not null,
    constraint pdf_files_pkey primary key (id),
    constraint pdf_files_post_id_key unique (post_id),
    constraint pdf_files_name_check check (char_length(name) between 5 and 260),
    constraint pdf_files_size_check check (size = octet_length(content) and size between 5 and 5 * 1024 * 1024)
);

-- A PDF file is compressed already. Without compression, a chunk is read without the rest of the file.
alter table feed.pdf_files alter column content set storage external;

create index pdf_files_member_id_idx on feed.pdf_files (member_id);

create index pdf_files_unused_idx on feed.pdf_files (uploaded_at)
    where post_id is null;
