-- Which skills of a member somebody endorsed, from the index alone: every profile that is shown asks.

drop index profile.endorsements_endorser_id_idx;

create index endorsements_endorser_id_idx on profile.endorsements (endorser_id, member_id, skill);
