-- Edited and deleted messages, reactions, replies, muted conversations, and the search in messages.

alter table messaging.messages
    add column edited_at timestamptz,
    -- A deleted message stays in its place, without its text.
    add column deleted_at timestamptz,
    add column reply_to_id uuid,
    -- The number of rows in message_reactions: a page reads them only for messages that have some.
    add column reaction_count integer not null default 0,
    -- The members who search the message: the participants, without erased accounts.
    add column audience uuid[] not null default '{}',
    drop constraint messages_content_check,
    add constraint messages_content_check
        check (char_length(content) <= 4000 and (content = '') = (deleted_at is not null)),
    add constraint messages_edited_at_check check (edited_at is null or deleted_at is null),
    add constraint messages_reaction_count_check check (reaction_count >= 0 and (deleted_at is null or reaction_count = 0)),
    add constraint messages_reply_to_id_fkey
        foreign key (reply_to_id) references messaging.messages (id) on delete set null;

create index messages_reply_to_id_idx on messaging.messages (reply_to_id) where reply_to_id is not null;

update messaging.messages m
set audience = array_remove(array[c.lower_member_id, c.upper_member_id], null)
from messaging.conversations c
where c.id = m.conversation_id;

-- One member's messages with a word: the index intersects both, so that a word of every message costs no more than the
-- messages of the member.
create index messages_audience_content_idx on messaging.messages using gin (audience, content ext.gin_trgm_ops);

-- A member has each kind of reaction to a message at most once.
create table messaging.message_reactions (
    message_id uuid,
    member_id uuid,
    kind text,
    reacted_at timestamptz not null,
    constraint message_reactions_pkey primary key (message_id, member_id, kind),
    constraint message_reactions_message_id_fkey
        foreign key (message_id) references messaging.messages (id) on delete cascade,
    constraint message_reactions_kind_check check (kind in ('like', 'love', 'laugh', 'wow', 'sad', 'thanks'))
);

create index message_reactions_member_id_idx on messaging.message_reactions (member_id, message_id);

alter table messaging.participants
    -- The unread messages of a muted conversation are not part of the member's totals.
    add column muted boolean not null default false;
