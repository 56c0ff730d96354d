-- no-transaction
drop index concurrently social_graph.communities_member_count_idx;
