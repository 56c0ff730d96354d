-- The tables of profile.

-- A name or a school for comparison: without regard to case, accents, punctuation and repeated spaces. `unaccent` depends on its
-- dictionary only, which never changes, so the function may be indexed.
create function profile.comparison_key(name text) returns text
language sql immutable strict parallel safe
as $$
    select btrim(regexp_replace(
        translate(lower(ext.unaccent('ext.unaccent'::regdictionary, name)), '.,@+_-''', '       '), '\s+', ' ', 'g'
    ))
$$;

-- One row per member, with the id of the account. The username is a copy of auth's, which decides its uniqueness.
-- A change of a connection or an endorsement writes the row, in columns without an index. Free space on a page lets such a
-- row stay there, without further entries in the indexes.
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
    -- Codes of the catalogue, in its order.
    jurisdictions text[] not null default '{}',
    interests text[] not null default '{}',
    created_at timestamptz not null,
    -- The account is closed, suspended or erased: the member is not shown.
    hidden boolean not null default false,
    -- Null for a member who is not verified.
    verified_at timestamptz,
    -- The school that verified the member; null for Portia.
    verified_school text,
    -- The audiences and switches; the defaults are the behaviour without settings.
    profile_audience text not null default 'public',
    message_audience text not null default 'everyone',
    -- Search engines may index a public profile.
    search_engines boolean not null default true,
    activity_shown boolean not null default true,
    read_receipts boolean not null default true,
    -- Connections with members who are not hidden.
    connection_count bigint not null default 0,
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
    constraint members_jurisdictions_check check (cardinality(jurisdictions) <= 10),
    constraint members_interests_check check (cardinality(interests) <= 20),
    -- A closed account loses the verification.
    constraint members_verified_at_check check (not hidden or verified_at is null),
    constraint members_verified_school_check check (
        verified_school is null or (verified_at is not null and char_length(verified_school) between 1 and 200)
    ),
    constraint members_profile_audience_check check (profile_audience in ('public', 'members', 'connections')),
    constraint members_message_audience_check check (message_audience in ('everyone', 'connections', 'replies_only')),
    constraint members_connection_count_check check (connection_count >= 0)
) with (fillfactor = 90);

comment on column profile.members.id is 'exported in profile, privacy; erased';

-- Members with the same name.
create index members_name_key_idx on profile.members (profile.comparison_key(full_name)) where not hidden;

-- The members of a school, by name.
create index members_school_key_idx
    on profile.members (profile.comparison_key(school), profile.comparison_key(full_name), id)
    where not hidden and school is not null;

-- The snapshot of the members whose settings differ from the defaults.
create index members_privacy_idx on profile.members (id)
    where profile_audience <> 'public'
        or message_audience <> 'everyone'
        or not search_engines
        or not activity_shown
        or not read_receipts;

-- One row per member, made at the registration. Steps that the profile answers are not stored.
create table profile.onboarding (
    member_id uuid,
    done text[] not null default '{}',
    skipped text[] not null default '{}',
    dismissed boolean not null default false,
    constraint onboarding_pkey primary key (member_id),
    constraint onboarding_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint onboarding_done_check
        check (done <@ array['school', 'graduation_year', 'interests', 'people', 'communities']),
    constraint onboarding_skipped_check
        check (skipped <@ array['school', 'graduation_year', 'interests', 'people', 'communities'])
);

comment on column profile.onboarding.member_id is 'exported in onboarding; erased';

-- Careers.

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

comment on column profile.experiences.member_id is 'exported in experiences; erased';

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

comment on column profile.educations.member_id is 'exported in education; erased';

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

comment on column profile.skills.member_id is 'exported in skills; erased';

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

comment on column profile.endorsements.member_id is 'exported in endorsements-received; erased';
comment on column profile.endorsements.endorser_id is 'exported in endorsements-given; erased';

create index endorsements_created_at_idx
    on profile.endorsements (member_id, skill, created_at desc, endorser_id desc);

-- Every shown profile reads the skills that the viewer endorsed, by an index-only scan.
create index endorsements_endorser_id_idx on profile.endorsements (endorser_id, member_id, skill);

-- Verification.

-- The members who may verify the members of one school. Operators appoint them.
create table profile.stewards (
    member_id uuid,
    school text not null,
    granted_at timestamptz not null,
    constraint stewards_pkey primary key (member_id),
    constraint stewards_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint stewards_school_check check (char_length(school) between 1 and 200)
);

comment on column profile.stewards.member_id is 'exported in steward; erased';

-- The decisions. A row is deleted with the account of its member.
create table profile.verification_decisions (
    id uuid,
    member_id uuid not null,
    verified boolean not null,
    -- What caused it. The last three are changes by the member.
    cause text not null,
    -- The steward who decided; null for other causes, and after the account of the steward was erased.
    steward_id uuid,
    -- The school that verified; null for Portia.
    school text,
    -- Of a steward or an operator.
    reason text,
    at timestamptz not null,
    constraint verification_decisions_pkey primary key (id),
    constraint verification_decisions_member_id_fkey foreign key (member_id) references profile.members (id)
        on delete cascade,
    constraint verification_decisions_cause_check check (
        cause in ('operator', 'steward', 'name_changed', 'school_changed', 'account_closed')
    ),
    constraint verification_decisions_steward_id_check check (steward_id is null or cause = 'steward'),
    constraint verification_decisions_school_check check (char_length(school) between 1 and 200),
    constraint verification_decisions_reason_check check (
        (reason is not null) = (cause in ('operator', 'steward')) and char_length(reason) between 1 and 500
    ),
    constraint verification_decisions_verified_check check (not verified or cause in ('operator', 'steward'))
);

comment on column profile.verification_decisions.member_id is 'exported in verifications; erased';
comment on column profile.verification_decisions.steward_id is 'exported in verifications-made; erased';
comment on column profile.verification_decisions.reason is 'not exported: it may name an informant';

create index verification_decisions_member_id_idx on profile.verification_decisions (member_id, at);

create index verification_decisions_steward_id_idx on profile.verification_decisions (steward_id)
    where steward_id is not null;

-- The log of a school, newest first.
create index verification_decisions_school_key_idx
    on profile.verification_decisions (profile.comparison_key(school), at desc, id desc)
    where school is not null;

-- Views.

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

comment on column profile.views.member_id is 'exported in views; erased';
comment on column profile.views.viewer_id is 'not exported: who views profiles is confidential; erased';

create index views_viewer_id_idx on profile.views (viewer_id);

-- Pruning by age.
create index views_day_idx on profile.views (day);

-- The views of each member, one per viewer and day, with those whose rows are pruned. Beside the members, so that a view changes
-- no row that a profile shows: see src/members/versions.rs.
create table profile.view_counts (
    member_id uuid,
    n bigint not null,
    constraint view_counts_pkey primary key (member_id),
    constraint view_counts_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint view_counts_n_check check (n > 0)
) with (fillfactor = 80);

comment on column profile.view_counts.member_id is 'exported in profile; erased';

-- Pictures.

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

comment on column profile.pictures.hash is
    'not erased: the row belongs to no member any more and is deleted in the background, after the picture';
comment on column profile.pictures.member_id is 'exported in pictures; erased';

create index pictures_member_id_idx on profile.pictures (member_id);

create index pictures_unused_since_idx on profile.pictures (unused_since) where uses = 0;

-- Copies of other services.

-- A copy of social-graph's connections, one row per pair. It has no foreign keys, because the facts of auth and
-- social-graph arrive independently.
create table profile.connections (
    lower_id uuid,
    upper_id uuid,
    constraint connections_pkey primary key (lower_id, upper_id),
    constraint connections_upper_id_check check (lower_id < upper_id)
);

comment on column profile.connections.lower_id is 'not exported: a copy, which social-graph exports; erased';
comment on column profile.connections.upper_id is 'not exported: a copy, which social-graph exports; erased';

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

comment on column profile.blocks.lower_id is 'not exported: a copy, which social-graph exports; erased';
comment on column profile.blocks.upper_id is 'not exported: a copy, which social-graph exports; erased';
comment on column profile.blocks.blocker_id is 'not exported: a copy, which social-graph exports; erased';

create index blocks_upper_id_idx on profile.blocks (upper_id, lower_id);

comment on column profile.search_documents.id is 'not exported: the words of the profile, for the search; erased';
comment on column profile.search_entries.id is 'not exported: the words of the profile, for the search; erased';
