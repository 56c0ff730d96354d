-- Copies of the pictures and files of reported messages, for moderators: the sender may delete the message meanwhile.

create table messaging.reported_attachments (
    -- The copied attachment.
    attachment_id uuid,
    message_id uuid not null,
    -- The sender. The erasure of the account deletes the copies, as it deletes the reports in feed.
    member_id uuid not null,
    -- The place of a picture in the message, from 1; null for the file.
    number integer,
    -- The description of a picture.
    alt text not null default '',
    -- Of a picture, in pixels.
    width integer,
    height integer,
    -- The name of a file.
    name text,
    -- In bytes.
    size integer not null,
    content bytea not null,
    -- Afterwards the copy is deleted: a year after the last report, or 30 days after its decision.
    kept_until timestamptz not null,
    constraint reported_attachments_pkey primary key (attachment_id),
    constraint reported_attachments_number_check check (number between 1 and 4),
    constraint reported_attachments_kind_check
        check (
            case
                when number is null then name is not null and num_nonnulls(width, height) = 0
                else name is null and num_nulls(width, height) = 0
            end
        ),
    constraint reported_attachments_size_check check (size = octet_length(content))
);

alter table messaging.reported_attachments alter column content set storage external;

create index reported_attachments_message_id_idx on messaging.reported_attachments (message_id);
create index reported_attachments_member_id_idx on messaging.reported_attachments (member_id);
create index reported_attachments_kept_until_idx on messaging.reported_attachments (kept_until);
