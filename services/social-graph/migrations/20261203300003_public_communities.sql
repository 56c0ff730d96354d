-- no-transaction
create index concurrently communities_public_member_count_idx
    on social_graph.communities (member_count desc, id desc)
    where visibility = 'public';
