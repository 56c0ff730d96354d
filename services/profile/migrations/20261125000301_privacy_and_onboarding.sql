-- Privacy settings, jurisdictions, interests and the onboarding of members.

-- The audiences and switches; the defaults are the behaviour without settings.
alter table profile.members
    add column profile_audience text not null default 'public',
    add column message_audience text not null default 'everyone',
    -- Search engines may index a public profile.
    add column search_engines boolean not null default true,
    add column activity_shown boolean not null default true,
    add column read_receipts boolean not null default true,
    -- Codes of the catalogue, in its order.
    add column jurisdictions text[] not null default '{}',
    add column interests text[] not null default '{}',
    add constraint members_profile_audience_check check (profile_audience in ('public', 'members', 'connections')),
    add constraint members_message_audience_check check (message_audience in ('everyone', 'connections', 'replies_only')),
    add constraint members_jurisdictions_check check (cardinality(jurisdictions) <= 10),
    add constraint members_interests_check check (cardinality(interests) <= 20);

-- The snapshot of the members whose settings differ from the defaults.
create index members_privacy_idx on profile.members (id)
    where profile_audience <> 'public'
        or message_audience <> 'everyone'
        or not search_engines
        or not activity_shown
        or not read_receipts;

-- One row per member who registered since the onboarding exists. Steps that the profile answers are not stored.
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
