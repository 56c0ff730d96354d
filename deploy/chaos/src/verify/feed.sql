-- Violated invariants of feed, one line each: counters that differ from their rows.
select format('post %s has %s likes, counted %s', p.id, p.like_count, r.n)
from feed.posts p
cross join lateral (select count(*) as n from feed.reactions r where r.post_id = p.id) r
where p.like_count <> r.n
union all
select format('post %s has %s comments, counted %s', p.id, p.comment_count, c.n)
from feed.posts p
cross join lateral (select count(*) as n from feed.comments c where c.post_id = p.id) c
where p.comment_count <> c.n
union all
select format('post %s has %s reposts, counted %s', p.id, p.share_count, r.n)
from feed.posts p
cross join lateral (select count(*) as n from feed.posts r where r.repost_of = p.id) r
where p.share_count <> r.n
union all
select format('member %s has %s saved items, counted %s', coalesce(s.member_id, i.member_id), s.items, i.n)
from feed.savers s
full join (select member_id, count(*) as n from feed.saved_items group by member_id) i on i.member_id = s.member_id
where coalesce(s.items, 0) <> coalesce(i.n, 0)
