-- A table to tell two databases apart.
create table feed.things (
    name text,
    constraint things_pkey primary key (name)
);
