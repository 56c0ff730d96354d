-- The allowance of requests to connect: how many a member may send in a day, and how many may wait for an answer.

-- The time at which the daily allowance is full again; each request moves it. Null before the first one.
alter table social_graph.members add column allowance_full_at timestamptz;

-- The requests of a member that wait for an answer.
create index connections_requester_id_waiting_idx on social_graph.connections (requester_id) where status = 'pending';
