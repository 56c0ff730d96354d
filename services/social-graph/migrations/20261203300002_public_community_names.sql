-- no-transaction
create unique index concurrently communities_public_name_key
    on social_graph.communities (name_key)
    where visibility = 'public';
