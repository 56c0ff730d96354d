-- Converts stored postings and the snapshots in applications, without the lock that adding the columns takes: earlier versions stored
-- a deadline without a time of day as 23:59:59 in UTC, and a publication as midnight in UTC. A process of the release before that
-- still crawls stores such times again; the next crawl of this release corrects them.

update jobs.postings
set
    application_deadline_date = case
        when (application_deadline at time zone 'UTC')::time >= time '23:59:59'
            then (application_deadline at time zone 'UTC')::date
        else application_deadline_date
    end,
    application_deadline = case
        when (application_deadline at time zone 'UTC')::time >= time '23:59:59'
            -- The end of the date in UTC-12.
            then (application_deadline at time zone 'UTC')::date::timestamp at time zone 'UTC' + interval '36 hours'
        else application_deadline
    end,
    posted_date = case
        when (posted_at at time zone 'UTC')::time = time '00:00:00' then (posted_at at time zone 'UTC')::date
        else posted_date
    end
where (application_deadline at time zone 'UTC')::time >= time '23:59:59'
    or (posted_at at time zone 'UTC')::time = time '00:00:00';

with dated as (
    select
        id,
        (job ->> 'application_deadline')::timestamptz at time zone 'UTC' as deadline,
        (job ->> 'posted_at')::timestamptz at time zone 'UTC' as posted
    from jobs.applications
)
update jobs.applications a
set job = a.job
    || case
        when d.deadline::time >= time '23:59:59' then jsonb_build_object(
            'application_deadline_date', d.deadline::date,
            'application_deadline', d.deadline::date::timestamp at time zone 'UTC' + interval '36 hours'
        )
        else '{}'
    end
    || case
        when d.posted::time = time '00:00:00' then jsonb_build_object('posted_date', d.posted::date)
        else '{}'
    end
from dated d
where d.id = a.id
    and (d.deadline::time >= time '23:59:59' or d.posted::time = time '00:00:00');

-- The next crawl reads every source, also an unchanged one: postings are derived anew.
update jobs.sources
set etag = null, last_modified = null
where etag is not null
    or last_modified is not null;
