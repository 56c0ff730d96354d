-- The résumé and the cover letter that a member keeps with an application.

-- The bytes are in the row: a file is stored, replaced and erased in the transaction of its application, and no object of
-- a store can outlive it.
create table jobs.application_files (
    -- A new one for each upload: the chunks of a download belong to one content.
    id uuid,
    application_id uuid not null,
    kind text not null,
    -- The name on the computer of the member.
    name text not null,
    -- In bytes.
    size integer not null,
    content bytea not null,
    uploaded_at timestamptz not null,
    constraint application_files_pkey primary key (id),
    constraint application_files_application_id_kind_key unique (application_id, kind),
    constraint application_files_application_id_fkey
        foreign key (application_id) references jobs.applications (id) on delete cascade,
    constraint application_files_kind_check check (kind in ('resume', 'cover-letter')),
    constraint application_files_name_check check (char_length(name) between 5 and 260),
    constraint application_files_size_check check (size = octet_length(content) and size between 5 and 5 * 1024 * 1024)
);

-- A PDF file is compressed already. Without compression, a chunk is read without the rest of the file.
alter table jobs.application_files alter column content set storage external;
