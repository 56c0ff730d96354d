-- Writes without exactly one fact, and facts without their write, one line each.
select format('post %s has %s facts', coalesce(p.id::text, f.key), coalesce(f.n, 0))
from feed.posts p
full join (
    select key, count(*) as n from feed.outbox where kind = 'portia.feed.v1.PostCreated' group by key
) f on f.key = p.id::text
where p.id is null or f.n is distinct from 1
union all
select format('application %s has no fact', a.id)
from jobs.applications a
where not exists (
    select from jobs.outbox o where o.kind = 'portia.jobs.v1.ApplicationChanged' and o.key = a.id::text
)
union all
select format('conversation %s has %s messages and %s facts', c.id, c.last_seq, f.n)
from messaging.conversations c
cross join lateral (
    select count(*) as n
    from messaging.outbox o
    where o.kind = 'portia.messaging.v1.MessageSent' and o.key = c.id::text
) f
where c.last_seq <> f.n
