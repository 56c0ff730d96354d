-- no-transaction
create index concurrently memberships_member_id_private_idx
    on social_graph.memberships (member_id, joined_at desc, community_id)
    where is_private;
