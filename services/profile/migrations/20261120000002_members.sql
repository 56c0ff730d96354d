-- The member as shown to others. Limits stand here as well as in convert.rs: the database is the last to be asked.

-- The id is the account's. The username is a copy of auth's, so it is not unique here: auth decides that.
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
    constraint members_graduation_year_check check (char_length(graduation_year) between 1 and 10)
);

-- Positions held. An id is the client's own string or a UUID of ours, unique within the profile. Months are YYYY-MM.
create table profile.experiences (
    member_id uuid,
    id text,
    -- Order within the profile, as the owner arranged it.
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

-- Courses of study.
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

-- Skills, without duplicates: the name is the key.
create table profile.skills (
    member_id uuid,
    name text,
    position smallint not null,
    constraint skills_pkey primary key (member_id, name),
    constraint skills_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint skills_name_check check (char_length(name) between 1 and 60),
    constraint skills_position_check check (position between 0 and 49)
);
