-- Law school resources: the house's own, and those members suggested.

create table news.resources (
    id uuid,
    title text not null,
    description text,
    -- Null for an internal resource.
    url text,
    type text not null,
    -- The member who suggested it; null for the house's own, and once that account is gone.
    suggested_by uuid,
    created_at timestamptz not null,
    -- Null while a suggestion waits for the operator: nobody sees it.
    approved_at timestamptz,
    constraint resources_pkey primary key (id),
    constraint resources_title_check check (char_length(title) between 1 and 200),
    constraint resources_type_check check (type in ('article', 'guide', 'study-material', 'case-brief'))
);

create index resources_approved_at_idx on news.resources (approved_at desc, id desc) where approved_at is not null;
create index resources_suggested_by_idx on news.resources (suggested_by) where suggested_by is not null;
