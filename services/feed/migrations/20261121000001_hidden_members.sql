-- Members whose account is closed: auth's word, copied, so that a page is still one statement.

create table feed.hidden_members (
    member_id uuid,
    hidden_at timestamptz not null,
    constraint hidden_members_pkey primary key (member_id)
);
