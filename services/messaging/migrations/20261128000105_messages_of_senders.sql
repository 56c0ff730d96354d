-- A block looks in the groups of one member for unread messages of the other, who may have left them.

create index messages_conversation_id_sender_id_seq_idx
    on messaging.messages (conversation_id, sender_id, seq)
    where sender_id is not null;
