-- The outbox and the consumer state of the schema profile; the crate outbox reads and writes these tables.

-- One row per published fact, inserted in the transaction of the change. Debezium's outbox router can read these columns:
-- id, kind (type), key, payload, at (timestamp), traceparent (tracing).
create table profile.outbox (
    id bigserial,
    -- The position in commit order, without gaps. The sequencer assigns it after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts of one key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- The rows that wait for the sequencer.
create index outbox_unnumbered_idx on profile.outbox (id) where seq is null;

-- The last assigned position. The row is also the sequencers' lock.
create table profile.outbox_sequence (
    id smallint,
    n bigint not null,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

insert into profile.outbox_sequence (id, n) values (1, 0);

-- The position consumed from each source. It moves by compare-and-set in the transaction of the effect.
create table profile.cursors (
    source text,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

-- Facts that failed ten times, complete, so that an operator can publish them again. seq is 0 for a snapshot row.
create table profile.dead_facts (
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

-- One row per member, with the id of the account. The username is a copy of auth's, which decides its uniqueness.
create table profile.members (
    id uuid,
    username text not null,
    full_name text not null,
    headline text,
    location text,
    bio text,
    avatar_url text,
    website text,
    linkedin text,
    school text,
    graduation_year text,
    created_at timestamptz not null,
    -- The account is closed, suspended or erased: the member is not shown.
    hidden boolean not null default false,
    -- Connections with members who are not hidden.
    connection_count bigint not null default 0,
    -- Views, one per viewer and day. It keeps pruned rows.
    view_count bigint not null default 0,
    -- Unused: the search reads search_documents.
    search_text text not null default '',
    search_words tsvector not null default '',
    constraint members_pkey primary key (id),
    constraint members_username_check check (char_length(username) between 3 and 64),
    constraint members_full_name_check check (char_length(full_name) between 2 and 100),
    constraint members_headline_check check (char_length(headline) between 1 and 200),
    constraint members_location_check check (char_length(location) between 1 and 100),
    constraint members_bio_check check (char_length(bio) between 1 and 5000),
    constraint members_avatar_url_check check (char_length(avatar_url) between 1 and 2048),
    constraint members_website_check check (char_length(website) <= 2048 and website ~ '^https?://'),
    constraint members_linkedin_check check (char_length(linkedin) <= 2048 and linkedin ~ '^https?://'),
    constraint members_school_check check (char_length(school) between 1 and 200),
    constraint members_graduation_year_check check (char_length(graduation_year) between 1 and 10),
    constraint members_connection_count_check check (connection_count >= 0),
    constraint members_view_count_check check (view_count >= 0)
);

-- Months are YYYY-MM. An id is unique within the profile: the client's own string, or a generated UUID.
create table profile.experiences (
    member_id uuid,
    id text,
    -- The order within the profile.
    position smallint not null,
    title text not null,
    company text not null,
    start_date text not null,
    end_date text,
    is_current_position boolean not null,
    description text,
    location text,
    constraint experiences_pkey primary key (member_id, id),
    constraint experiences_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint experiences_id_check check (char_length(id) between 1 and 64),
    constraint experiences_position_check check (position between 0 and 29),
    constraint experiences_title_check check (char_length(title) between 1 and 200),
    constraint experiences_company_check check (char_length(company) between 1 and 200),
    constraint experiences_start_date_check check (start_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    constraint experiences_end_date_check check (end_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    constraint experiences_current_check check (not is_current_position or end_date is null),
    constraint experiences_description_check check (char_length(description) between 1 and 5000),
    constraint experiences_location_check check (char_length(location) between 1 and 100)
);

create table profile.educations (
    member_id uuid,
    id text,
    position smallint not null,
    institution text not null,
    degree text not null,
    field_of_study text,
    start_date text not null,
    end_date text,
    description text,
    constraint educations_pkey primary key (member_id, id),
    constraint educations_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint educations_id_check check (char_length(id) between 1 and 64),
    constraint educations_position_check check (position between 0 and 14),
    constraint educations_institution_check check (char_length(institution) between 1 and 200),
    constraint educations_degree_check check (char_length(degree) between 1 and 200),
    constraint educations_field_of_study_check check (char_length(field_of_study) between 1 and 200),
    constraint educations_start_date_check check (start_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    constraint educations_end_date_check check (end_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    constraint educations_description_check check (char_length(description) between 1 and 5000)
);

-- The name is part of the key, so a profile has no duplicates.
create table profile.skills (
    member_id uuid,
    name text,
    position smallint not null,
    -- Visible endorsements: without those that the owner hid, and those of hidden members.
    endorsement_count bigint not null default 0,
    constraint skills_pkey primary key (member_id, name),
    constraint skills_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint skills_name_check check (char_length(name) between 1 and 60),
    constraint skills_position_check check (position between 0 and 49),
    constraint skills_endorsement_count_check check (endorsement_count >= 0)
);

create table profile.endorsements (
    member_id uuid,
    skill text,
    endorser_id uuid,
    created_at timestamptz not null,
    -- By the owner of the skill.
    hidden boolean not null,
    constraint endorsements_pkey primary key (member_id, skill, endorser_id),
    constraint endorsements_skill_fkey foreign key (member_id, skill) references profile.skills (member_id, name)
        on delete cascade,
    constraint endorsements_endorser_id_fkey foreign key (endorser_id) references profile.members (id),
    constraint endorsements_endorser_id_check check (endorser_id <> member_id)
);

create index endorsements_created_at_idx
    on profile.endorsements (member_id, skill, created_at desc, endorser_id desc);

-- Every shown profile reads the skills that the viewer endorsed, by an index-only scan.
create index endorsements_endorser_id_idx on profile.endorsements (endorser_id, member_id, skill);

-- One row per viewer and day.
create table profile.views (
    member_id uuid,
    -- In UTC.
    day date,
    viewer_id uuid,
    constraint views_pkey primary key (member_id, day, viewer_id),
    constraint views_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint views_viewer_id_fkey foreign key (viewer_id) references profile.members (id) on delete cascade,
    constraint views_viewer_id_check check (viewer_id <> member_id)
);

create index views_viewer_id_idx on profile.views (viewer_id);

-- Pruning by age.
create index views_day_idx on profile.views (day);

-- The objects in the picture store. A row is inserted before its object and deleted after it, so that a crash leaves a
-- row without uses, which the cleanup finds.
create table profile.pictures (
    -- SHA-256 in hex, the object's name.
    hash text,
    -- Null after the member was erased.
    member_id uuid,
    uses integer not null,
    unused_since timestamptz,
    constraint pictures_pkey primary key (hash),
    constraint pictures_member_id_fkey foreign key (member_id) references profile.members (id),
    constraint pictures_hash_check check (hash ~ '^[0-9a-f]{64}$'),
    constraint pictures_uses_check check (uses >= 0),
    constraint pictures_unused_since_check check ((uses = 0) = (unused_since is not null))
);

create index pictures_member_id_idx on profile.pictures (member_id);

create index pictures_unused_since_idx on profile.pictures (unused_since) where uses = 0;

-- A copy of social-graph's connections, one row per pair. It has no foreign keys, because the facts of auth and
-- social-graph arrive independently.
create table profile.connections (
    lower_id uuid,
    upper_id uuid,
    constraint connections_pkey primary key (lower_id, upper_id),
    constraint connections_upper_id_check check (lower_id < upper_id)
);

create index connections_upper_id_idx on profile.connections (upper_id);

-- A copy of social-graph's blocks, one row per direction. The pair leads the key: one lookup finds blocks in both
-- directions.
create table profile.blocks (
    lower_id uuid,
    upper_id uuid,
    blocker_id uuid,
    constraint blocks_pkey primary key (lower_id, upper_id, blocker_id),
    constraint blocks_upper_id_check check (lower_id < upper_id),
    constraint blocks_blocker_id_check check (blocker_id in (lower_id, upper_id))
);

create index blocks_upper_id_idx on profile.blocks (upper_id, lower_id);

-- The search index over usernames, names, headlines, schools and skills. The crate search reads and writes these tables.

-- One row per member, with its distinct words in lower case without accents.
create table profile.search_documents (
    id uuid,
    -- Twice the number of the audience; 0 for all members.
    shelf integer not null,
    -- Seconds since 2000.
    at integer not null,
    title text[] not null,
    body text[] not null,
    -- 0: to be read again; 1: new words to be added to search_words; 2: done.
    state smallint not null,
    constraint search_documents_pkey primary key (id),
    constraint search_documents_state_check check (state between 0 and 2)
);

create index search_documents_state_idx on profile.search_documents (state, id)
    where state < 2;

-- One row per word and document. A word of the title has the document's shelf, a word of the body the next number. The
-- newest documents of a word are a range of the key. Early vacuums keep the scans index-only.
create table profile.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The distinct words with their stems. slips are the word's forms with one letter removed: a mistyped word shares some.
create table profile.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on profile.search_words (stem, word);

create index search_words_slips_idx on profile.search_words using gin (slips);
