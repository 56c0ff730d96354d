-- A list cut to some people names both members; whoever is looked up in one conversation has the primary key, which an
-- index that begins with the member would contend with: a plan for everybody cannot know who has thousands.
drop index messaging.participants_member_id_other_member_id_idx;

create index participants_other_member_id_member_id_idx on messaging.participants (other_member_id, member_id);
