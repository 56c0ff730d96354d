-- A copy of profile's privacy settings that concern messages; members without a row have the defaults.

create table messaging.privacy_settings (
    member_id uuid,
    message_audience text not null,
    read_receipts boolean not null,
    constraint privacy_settings_pkey primary key (member_id),
    constraint privacy_settings_message_audience_check
        check (message_audience in ('everyone', 'connections', 'replies_only'))
);
