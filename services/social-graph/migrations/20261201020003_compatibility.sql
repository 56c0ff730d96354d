-- The oldest release that works with this schema, as the version of its newest migration. A migration that breaks earlier releases
-- raises it.
create table social_graph.compatibility (
    id smallint,
    oldest bigint not null,
    constraint compatibility_pkey primary key (id),
    constraint compatibility_id_check check (id = 1)
);

insert into social_graph.compatibility (id, oldest) values (1, 0);
