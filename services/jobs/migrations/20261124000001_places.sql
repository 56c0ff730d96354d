-- The list filter also searches the location, and places in the Philippines are filter values.
--
-- Generated columns cannot be changed, so both are replaced: one rewrite of the table, and its index.

-- No posting opens or closes meanwhile.
do $$
begin
    perform id from jobs.openings where id = 2 for update;
end
$$;

drop index jobs.postings_found_idx;

alter table jobs.postings
    drop column facets,
    drop column searched,
    -- The values of the filters, each one word. The location of a remote posting contains 'remote'
    -- (postings_location_check). Also the day since 1970 and its block of 32 days, for searches in one window of time.
    add column facets text[] not null generated always as (
        array_remove(
            array[
                'all',
                'm' || (((posted_at at time zone 'UTC')::date - date '1970-01-01') / 32)::text,
                'd' || ((posted_at at time zone 'UTC')::date - date '1970-01-01')::text,
                case when location ~* '\m(washington|wa)\M' then 'washington' end,
                case when location ~* '\m(new york|ny|nyc)\M' then 'new-york' end,
                case when location ~* '\m(california|ca)\M' then 'california' end,
                case when location ~* '\mremote\M' then 'remote' end,
                case
                    when location ~* '\m(philippines|pilipinas|ph|manila|makati|quezon city|taguig|bgc)\M'
                        or location ~* '\m(bonifacio global city|pasig|ortigas)\M'
                        or location ~* '\m(mandaluyong|pasay|para[nñ]aque|muntinlupa|alabang|las pi[nñ]as|marikina|caloocan)\M'
                        or location ~* '\m(cebu|davao|baguio|iloilo|bacolod|cagayan de oro|zamboanga|dumaguete|general santos)\M'
                        or location ~* '\m(cavite|batangas|bulacan|pampanga)\M'
                    then 'philippines'
                end,
                case
                    when location ~* '\m(manila|makati|quezon city|taguig|bgc|bonifacio global city|pasig|ortigas)\M'
                        or location ~* '\m(mandaluyong|pasay|para[nñ]aque|muntinlupa|alabang|las pi[nñ]as|marikina|caloocan)\M'
                    then 'metro-manila'
                end,
                -- The city, not the region.
                case when location ~* '(?<!metro )\mmanila\M' then 'manila' end,
                case when location ~* '\mmakati\M' then 'makati' end,
                case when location ~* '\mquezon city\M' then 'quezon-city' end,
                case when location ~* '\m(taguig|bgc|bonifacio global city)\M' then 'taguig' end,
                case when location ~* '\m(pasig|ortigas)\M' then 'pasig' end,
                case when location ~* '\mcebu\M' then 'cebu-city' end,
                case when location ~* '\mdavao\M' then 'davao-city' end,
                practice_area,
                experience_level,
                employment_type
            ],
            null
        )
    ) stored,
    -- The text of the list filter, in lower case so that a search does not convert each row.
    add column searched text not null generated always as (
        lower(title || ' ' || company || ' ' || coalesce(location || ' ', '') || description)
    ) stored;

-- As in the initial migration: a search without an index reads these columns of every row.
alter table jobs.postings
    alter column searched set storage main,
    alter column facets set storage main;

create index postings_found_idx on jobs.postings
    using gin (facets, searched ext.gin_trgm_ops)
    with (gin_pending_list_limit = 512)
    where closed_at is null;

-- The numbers of the filter sets that a posting with these facets matches, without the empty one: three bits per filter, with
-- the number of the value in the contract, or 0 for no filter; the higher bits of the place follow the others.
-- `listings::number` in the service is the same.
create or replace function jobs.filter_sets(facets text[]) returns setof integer
language sql immutable
as $$
    select place.n % 8 + area.n * 8 + level.n * 64 + kind.n * 512 + place.n / 8 * 4096
    from (
        values
            (0, null), (1, 'washington'), (2, 'new-york'), (3, 'california'), (4, 'remote'), (5, 'philippines'),
            (6, 'metro-manila'), (7, 'manila'), (8, 'makati'), (9, 'quezon-city'), (10, 'taguig'), (11, 'pasig'),
            (12, 'cebu-city'), (13, 'davao-city')
    ) as place (n, facet)
    cross join (
        values
            (0, null), (1, 'corporate'), (2, 'litigation'), (3, 'public-interest'), (4, 'government'), (5, 'immigration'),
            (6, 'intellectual-property')
    ) as area (n, facet)
    cross join (values (0, null), (1, 'entry-level'), (2, 'mid-level'), (3, 'senior')) as level (n, facet)
    cross join (
        values (0, null), (1, 'internship'), (2, 'full-time'), (3, 'part-time'), (4, 'contract')
    ) as kind (n, facet)
    where (place.facet is null or place.facet = any(facets))
        and (area.facet is null or area.facet = any(facets))
        and (level.facet is null or level.facet = any(facets))
        and (kind.facet is null or kind.facet = any(facets))
        and place.n + area.n + level.n + kind.n > 0
$$;

-- The listings of the new places.
insert into jobs.listings (filters, posted_at, posting_id)
select f.filters, p.posted_at, p.id
from jobs.postings p
cross join lateral jobs.filter_sets(p.facets) as f (filters)
where p.closed_at is null
    and 'philippines' = any(p.facets)
on conflict do nothing;

-- The new columns have no statistics, and a rewrite counts as no change for the automatic ones.
do $$
begin
    if exists (select from jobs.postings) then
        analyze jobs.postings;
    end if;
end
$$;
