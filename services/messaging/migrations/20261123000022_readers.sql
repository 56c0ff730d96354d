-- Who has turned a kind on: few, where a community has thousands.
create index notification_switches_kind_member_id_idx on messaging.notification_switches (kind, member_id) where is_on;
