-- Verified members, the stewards of schools, the log of their decisions, and equal names.

-- A name or a school for comparison: without regard to case, accents, punctuation and repeated spaces. `unaccent` depends on its
-- dictionary only, which never changes, so the function may be indexed.
create function profile.comparison_key(name text) returns text
language sql immutable strict parallel safe
as $$
    select btrim(regexp_replace(
        translate(lower(ext.unaccent('ext.unaccent'::regdictionary, name)), '.,@+_-''', '       '), '\s+', ' ', 'g'
    ))
$$;

alter table profile.members
    -- Null for a member who is not verified.
    add column verified_at timestamptz,
    -- The school that verified the member; null for Portia.
    add column verified_school text,
    add constraint members_verified_school_check check (
        verified_school is null or (verified_at is not null and char_length(verified_school) between 1 and 200)
    ),
    -- A closed account loses the verification.
    add constraint members_verified_at_check check (not hidden or verified_at is null);

-- Members with the same name.
create index members_name_key_idx on profile.members (profile.comparison_key(full_name)) where not hidden;

-- The members of a school, by name.
create index members_school_key_idx
    on profile.members (profile.comparison_key(school), profile.comparison_key(full_name), id)
    where not hidden and school is not null;

-- The members who may verify the members of one school. Operators appoint them.
create table profile.stewards (
    member_id uuid,
    school text not null,
    granted_at timestamptz not null,
    constraint stewards_pkey primary key (member_id),
    constraint stewards_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint stewards_school_check check (char_length(school) between 1 and 200)
);

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

create index verification_decisions_member_id_idx on profile.verification_decisions (member_id, at);

create index verification_decisions_steward_id_idx on profile.verification_decisions (steward_id)
    where steward_id is not null;

-- The log of a school, newest first.
create index verification_decisions_school_key_idx
    on profile.verification_decisions (profile.comparison_key(school), at desc, id desc)
    where school is not null;
