-- Pictures and PDF files of messages.

-- The bytes are in the row: an attachment is deleted in the transaction of its message, and only read with the visibility of the
-- message. One that no message uses within a day is deleted.
create table messaging.attachments (
    id uuid,
    -- Who uploaded it.
    member_id uuid not null,
    -- The message that shows it.
    message_id uuid,
    kind text not null,
    -- The name of a file on the computer of the member; null for a picture.
    name text,
    -- Of a picture, in pixels.
    width integer,
    height integer,
    -- In bytes.
    size integer not null,
    content bytea not null,
    -- For an unused one, the last time that it was uploaded.
    uploaded_at timestamptz not null,
    constraint attachments_pkey primary key (id),
    -- Attachments are taken before their message is inserted, so that the message contains their descriptions.
    constraint attachments_message_id_fkey
        foreign key (message_id) references messaging.messages (id) on delete cascade deferrable initially deferred,
    constraint attachments_kind_check
        check (
            case kind
                when 'picture' then name is null and num_nulls(width, height) = 0
                when 'file' then name is not null and num_nonnulls(width, height) = 0
                else false
            end
        ),
    constraint attachments_name_check check (char_length(name) between 5 and 260),
    constraint attachments_picture_size_check check (width between 1 and 4096 and height between 1 and 4096),
    constraint attachments_size_check check (size = octet_length(content) and size between 5 and 8 * 1024 * 1024)
);

-- JPEG and PDF are compressed already. Without compression, a chunk is read without the rest of the attachment.
alter table messaging.attachments alter column content set storage external;

create index attachments_message_id_idx on messaging.attachments (message_id) where message_id is not null;

create index attachments_member_id_uploaded_at_idx on messaging.attachments (member_id, uploaded_at);

create index attachments_unused_idx on messaging.attachments (uploaded_at) where message_id is null;

alter table messaging.messages
    -- The descriptions of the attachments: see src/attachments.rs. Null for most messages. Copies, so that a page reads one table.
    add column attachments jsonb,
    drop constraint messages_content_check,
    add constraint messages_content_check
        check (
            char_length(content) <= 4000
            and case
                when deleted_at is not null or system_kind is not null then content = '' and attachments is null
                else content <> '' or attachments is not null
            end
        ),
    add constraint messages_attachments_check
        check (
            attachments is null
            or (
                jsonb_array_length(coalesce(attachments -> 'pictures', '[]')) <= 4
                and (attachments -> 'pictures' is null) <> (attachments -> 'file' is null)
            )
        );

alter table messaging.conversations
    -- Those of the newest message of a conversation of two. A group reads its newest message.
    add column last_attachments jsonb,
    add constraint conversations_last_attachments_check check (last_attachments is null or not is_group);

-- The keys of uploads. The library idempotency reads and writes the table.
create table messaging.idempotency_keys (
    member_id uuid,
    route text,
    key text,
    -- SHA-256 of the request: the same key with another body is refused.
    body_hash bytea not null,
    resource_id uuid not null,
    created_at timestamptz not null,
    constraint idempotency_keys_pkey primary key (member_id, route, key),
    constraint idempotency_keys_body_hash_check check (octet_length(body_hash) = 32)
);

create index idempotency_keys_created_at_idx on messaging.idempotency_keys (created_at);
