-- Names are unique among public communities only: a refused name must not reveal a private community.

alter table social_graph.communities drop constraint communities_name_key_key;
alter table social_graph.communities validate constraint communities_visibility_check;
alter table social_graph.communities validate constraint communities_joining_check;
alter table social_graph.community_log validate constraint community_log_action_check;
