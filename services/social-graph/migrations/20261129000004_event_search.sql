-- Events are searched. The background work of the index reads the texts of those that exist already.
insert into social_graph.search_documents (id, shelf, at, title, body, state)
select id, 2, 0, '{}', '{}', 0
from social_graph.events
on conflict (id) do nothing;
