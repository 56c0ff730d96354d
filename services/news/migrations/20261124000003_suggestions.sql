-- Members suggest resources; each is known once, and few wait at a time.

alter table news.resources
    -- One form for all the ways of writing its address; null for an internal one.
    add column canonical_url text;

update news.resources set canonical_url = url;

alter table news.resources
    add constraint resources_canonical_url_key unique (canonical_url),
    add constraint resources_canonical_url_check check ((url is null) = (canonical_url is null));

create index resources_type_approved_at_idx on news.resources (type, approved_at desc, id desc)
    where approved_at is not null;
create index resources_waiting_idx on news.resources (created_at, id) where approved_at is null;

-- Who has suggestions that wait for the operator, and how many.
create table news.suggesters (
    member_id uuid,
    waiting integer not null,
    constraint suggesters_pkey primary key (member_id),
    constraint suggesters_waiting_check check (waiting between 0 and 10)
);
