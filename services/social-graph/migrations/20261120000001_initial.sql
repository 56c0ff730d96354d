-- The tables of social-graph.

-- The outbox: facts published by this service.

-- One row for each fact, written in the transaction of the change. Debezium's outbox router reads the same rows
-- (id, type = kind, key = key, payload, timestamp = at, tracing = traceparent) by these column names.
create table social_graph.outbox (
    id bigserial,
    -- The position in the order of visibility, without gaps. The sequencer assigns it after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts with the same key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- Rows without a position; nearly always empty.
create index outbox_unnumbered_idx on social_graph.outbox (id) where seq is null;

-- The newest position. The row is the sequencers' lock and remains after its fact is pruned.
create table social_graph.outbox_sequence (
    id smallint,
    n bigint not null,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

insert into social_graph.outbox_sequence (id, n) values (1, 0);

-- The position up to which each source is applied. It moves by compare-and-set in the transaction of the effect.
create table social_graph.cursors (
    source text,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

-- Complete facts that failed ten times, for an operator to replay. seq is 0 for a row of a snapshot.
create table social_graph.dead_facts (
    id bigserial,
    source text not null,
    seq bigint not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    traceparent text,
    error text not null,
    at timestamptz not null,
    constraint dead_facts_pkey primary key (id)
);

-- Members.

-- The read model of members from the facts of auth and profile; active_at is written here. A row may exist before either
-- service has published the member: it is the lock of connection requests, blocks and deactivation.
create table social_graph.members (
    member_id uuid,
    -- School and location for comparison: lower case, single spaces. Null without a text in the profile.
    school_key text,
    location_key text,
    -- The time of registration; null until auth's fact is applied.
    joined_at timestamptz,
    -- The time of registration or of the last action, to the hour. Null for a member without a fact.
    active_at timestamptz,
    -- The account is closed.
    hidden boolean not null default false,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (school_key <> ''),
    constraint members_location_key_check check (location_key <> '')
);

-- Suggestions scan these in descending order of activity.
create index members_school_key_active_at_idx
    on social_graph.members (school_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_location_key_active_at_idx
    on social_graph.members (location_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_active_at_idx
    on social_graph.members (active_at desc, member_id)
    where not hidden and active_at is not null;

-- The sizes of a member's lists, updated in the transaction of the change; rows are locked in the order of member_id.
-- Separate from members, because a closed account changes the counts of all its connections.
create table social_graph.member_counts (
    member_id uuid,
    -- Accepted connections with open accounts.
    connections bigint not null,
    -- Pending requests of open accounts to this member.
    requests bigint not null,
    constraint member_counts_pkey primary key (member_id),
    constraint member_counts_connections_check check (connections >= 0),
    constraint member_counts_requests_check check (requests >= 0)
);

-- Connections, dismissals and blocks.

-- One row for each unordered pair, so that requests in both directions meet in it. The hidden flags copy the state of the
-- accounts: a list scans one index, and a writer knows from the row which counts include it.
create table social_graph.connections (
    id uuid,
    requester_id uuid not null,
    recipient_id uuid not null,
    status text not null,
    -- The time of the current request; a new request after a rejection replaces it.
    requested_at timestamptz not null,
    -- The time of the answer; a rejected requester may ask again 30 days later.
    answered_at timestamptz,
    requester_hidden boolean not null default false,
    recipient_hidden boolean not null default false,
    constraint connections_pkey primary key (id),
    constraint connections_recipient_id_check check (recipient_id <> requester_id),
    constraint connections_status_check check (status in ('pending', 'accepted', 'rejected')),
    constraint connections_answered_at_check check ((answered_at is null) = (status = 'pending'))
);

create unique index connections_pair_key
    on social_graph.connections (least(requester_id, recipient_id), greatest(requester_id, recipient_id));

-- All rows of a member, for erasure. The index of the pair serves the smaller id, this one the greater.
create index connections_greatest_idx on social_graph.connections (greatest(requester_id, recipient_id));

-- One list index for each side. The included id lets the search for mutual connections skip the table.
create index connections_requester_id_shown_idx
    on social_graph.connections (requester_id, answered_at desc, id desc)
    include (recipient_id)
    where status = 'accepted' and not recipient_hidden;

create index connections_recipient_id_shown_idx
    on social_graph.connections (recipient_id, answered_at desc, id desc)
    include (requester_id)
    where status = 'accepted' and not requester_hidden;

create index connections_recipient_id_waiting_idx
    on social_graph.connections (recipient_id, requested_at desc, id desc)
    where status = 'pending' and not requester_hidden;

-- Suggestions that a member has dismissed.
create table social_graph.dismissed_suggestions (
    member_id uuid,
    dismissed_id uuid,
    dismissed_at timestamptz not null,
    constraint dismissed_suggestions_pkey primary key (member_id, dismissed_id),
    constraint dismissed_suggestions_dismissed_id_check check (dismissed_id <> member_id)
);

create index dismissed_suggestions_dismissed_id_idx on social_graph.dismissed_suggestions (dismissed_id);

-- One row for each direction: both members may block, and each lifts only their own block.
create table social_graph.blocks (
    blocker_id uuid,
    blocked_id uuid,
    blocked_at timestamptz not null,
    constraint blocks_pkey primary key (blocker_id, blocked_id),
    constraint blocks_blocked_id_check check (blocked_id <> blocker_id)
);

create index blocks_blocked_id_idx on social_graph.blocks (blocked_id);
create index blocks_blocker_id_blocked_at_idx on social_graph.blocks (blocker_id, blocked_at desc, blocked_id desc);

-- Communities.

create table social_graph.communities (
    id uuid,
    name text not null,
    description text,
    -- What the owners expect of members; shown before joining.
    rules text,
    -- Members with open accounts, updated in the transaction of the change.
    member_count bigint not null default 0,
    created_at timestamptz not null,
    -- The name for comparison: lower case, single spaces. Postgres folds the case of all alphabets only in some locales,
    -- so the service computes it.
    name_key text not null,
    constraint communities_pkey primary key (id),
    constraint communities_name_check check (char_length(name) between 1 and 100),
    constraint communities_member_count_check check (member_count >= 0),
    constraint communities_name_key_key unique (name_key),
    constraint communities_description_check check (char_length(description) <= 500),
    constraint communities_rules_check check (char_length(rules) <= 5000)
);

create index communities_member_count_idx on social_graph.communities (member_count desc, id desc);

create table social_graph.memberships (
    community_id uuid,
    member_id uuid,
    role text not null,
    joined_at timestamptz not null,
    hidden boolean not null default false,
    constraint memberships_pkey primary key (community_id, member_id),
    constraint memberships_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint memberships_role_check check (role in ('owner', 'member'))
);

create index memberships_member_id_idx on social_graph.memberships (member_id, joined_at desc);

-- The list of members, owners first, and the choice of the next owner after an erasure.
create index memberships_community_id_shown_idx
    on social_graph.memberships (community_id, hidden, (role <> 'owner'), joined_at, member_id);

-- The check for another owner, at any size of the community.
create index memberships_community_id_owner_idx on social_graph.memberships (community_id) where role = 'owner';

-- The sizes of whole lists, in one row, updated in the transaction of the change as its last lock.
create table social_graph.totals (
    id smallint,
    communities bigint not null,
    constraint totals_pkey primary key (id),
    constraint totals_id_check check (id = 1),
    constraint totals_communities_check check (communities >= 0)
);

insert into social_graph.totals (id, communities) values (1, 0);

-- Events.

create table social_graph.events (
    id uuid,
    title text not null,
    description text,
    location text,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    -- An IANA name, the time zone of the event.
    time_zone text not null,
    -- Null after the organiser's account is erased; the event stays for its attendees.
    organiser_id uuid,
    -- Attendees with open accounts, updated in the transaction of the change.
    attendee_count bigint not null default 0,
    created_at timestamptz not null,
    -- Calendars recognise a newer version by it; each change increments it.
    revision integer not null default 0,
    constraint events_pkey primary key (id),
    constraint events_title_check check (char_length(title) between 1 and 200),
    -- The bound lets the list of upcoming events start inside its index: see MAX_DURATION.
    constraint events_ends_at_check check (ends_at > starts_at and ends_at - starts_at <= interval '14 days'),
    constraint events_attendee_count_check check (attendee_count >= 0),
    constraint events_revision_check check (revision >= 0),
    constraint events_description_check check (char_length(description) <= 5000),
    constraint events_location_check check (char_length(location) <= 200)
);

create index events_starts_at_idx on social_graph.events (starts_at, id);
create index events_organiser_id_idx on social_graph.events (organiser_id);

create table social_graph.attendances (
    id uuid,
    event_id uuid not null,
    member_id uuid not null,
    said_at timestamptz not null,
    hidden boolean not null default false,
    constraint attendances_pkey primary key (id),
    constraint attendances_event_id_member_id_key unique (event_id, member_id),
    constraint attendances_event_id_fkey
        foreign key (event_id) references social_graph.events (id) on delete cascade
);

create index attendances_event_id_shown_idx
    on social_graph.attendances (event_id, said_at, id)
    where not hidden;

create index attendances_member_id_idx on social_graph.attendances (member_id);

-- Idempotency keys: the resource that a request created. A repeated request is answered with it for 24 hours.
create table social_graph.idempotency_keys (
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

create index idempotency_keys_created_at_idx on social_graph.idempotency_keys (created_at);

-- The search index of communities, read and written by the library `search`.

-- The words of each document: lower case, without accents, each once.
create table social_graph.search_documents (
    id uuid,
    -- Twice the number of the audience; 0 for public documents.
    shelf integer not null,
    -- Seconds since 2000.
    at integer not null,
    title text[] not null,
    body text[] not null,
    -- 0: must be read again. 1: has words missing from search_words. 2: complete.
    state smallint not null,
    constraint search_documents_pkey primary key (id),
    constraint search_documents_state_check check (state between 0 and 2)
);

create index search_documents_state_idx on social_graph.search_documents (state, id)
    where state < 2;

-- One row for each word of a document: title words on its shelf, body words on the next one. The newest documents with a
-- word are a range of the key. Early vacuum allows index-only scans of the range.
create table social_graph.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The known words, their stems, and their variants with one letter removed. A mistyped word shares a variant with the
-- intended one.
create table social_graph.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on social_graph.search_words (stem, word);

create index search_words_slips_idx on social_graph.search_words using gin (slips);
