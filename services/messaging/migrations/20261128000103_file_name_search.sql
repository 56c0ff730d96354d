-- The search in messages finds the names of files.

create index messages_audience_file_name_idx on messaging.messages
    using gin (audience, (attachments -> 'file' ->> 'name') ext.gin_trgm_ops)
    where attachments -> 'file' is not null;
