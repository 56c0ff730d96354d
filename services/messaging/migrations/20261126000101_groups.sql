-- Conversations of groups: up to 50 members, one of them the owner.

alter table messaging.conversations
    -- A group has no pair of members.
    add column is_group boolean not null default false,
    add column title text,
    -- The member who renames the group, adds and removes members. Null for a conversation of two and an empty group.
    add column owner_id uuid,
    -- The number of participants of a group; 0 for a conversation of two.
    add column member_count integer not null default 0,
    add constraint conversations_is_group_check
        check (
            case
                when is_group then num_nonnulls(lower_member_id, upper_member_id, requested_by) = 0
                else member_count = 0 and num_nonnulls(title, owner_id) = 0
            end
        ),
    add constraint conversations_title_check check (char_length(title) between 1 and 100),
    add constraint conversations_member_count_check check (member_count between 0 and 50),
    add constraint conversations_owner_id_check check (not is_group or (owner_id is null) = (member_count = 0));

-- Groups that the last member left, which are deleted in the background.
create index conversations_empty_idx on messaging.conversations (id) where is_group and member_count = 0;

alter table messaging.participants
    -- Messages up to this number were sent before the member joined the group, who does not see them.
    add column joined_seq bigint not null default 0,
    add constraint participants_joined_seq_check check (joined_seq between 0 and cleared_seq);

alter table messaging.messages
    -- A change of the group by the sender, without a text; null for a message of a member.
    add column system_kind text,
    -- The members that the change concerns. Null elements are erased accounts.
    add column subject_ids uuid[] not null default '{}',
    drop constraint messages_content_check,
    add constraint messages_content_check
        check (char_length(content) <= 4000 and (content = '') = (deleted_at is not null or system_kind is not null)),
    add constraint messages_system_kind_check
        check (system_kind in ('created', 'renamed', 'added', 'removed', 'left')),
    add constraint messages_subject_ids_check check (system_kind is not null or subject_ids = '{}');
