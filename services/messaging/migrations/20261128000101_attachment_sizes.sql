-- The bytes that a member stores in messages are summed at each upload, without reading the attachments.

create index attachments_member_id_uploaded_at_size_id_idx
    on messaging.attachments (member_id, uploaded_at)
    include (size, id);

drop index messaging.attachments_member_id_uploaded_at_idx;
