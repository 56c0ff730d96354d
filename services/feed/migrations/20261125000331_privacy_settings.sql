-- A copy of profile's privacy settings that concern activity; members without a row have the defaults.

create table feed.privacy_settings (
    member_id uuid,
    profile_audience text not null,
    activity_shown boolean not null,
    constraint privacy_settings_pkey primary key (member_id),
    constraint privacy_settings_profile_audience_check
        check (profile_audience in ('public', 'members', 'connections'))
);
