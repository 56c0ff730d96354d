-- What the search looks into: username, name, headline, school and skills, in small letters without accents.

-- Written anew with each change of any of them: search.rs.
alter table profile.members
    add column search_text text not null default '',
    add column search_words tsvector not null default '';

update profile.members m
set search_text = document.folded,
    search_words = to_tsvector('simple', translate(document.folded, '.@+_-', '     '))
from (
    select id, lower(ext.unaccent(concat_ws(' ', username, full_name, headline, school, (
        select string_agg(name, ' ' order by position)
        from profile.skills
        where member_id = members.id
    )))) as folded
    from profile.members
) as document
where document.id = m.id;

create index members_search_text_idx on profile.members using gin (search_text ext.gin_trgm_ops);

create index members_search_words_idx on profile.members using gin (search_words);
