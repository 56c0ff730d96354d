-- The follows of a new account in a day.

-- The time at which the allowance is full again; each follow of a new account moves it. Null before the first one.
alter table social_graph.members add column follows_full_at timestamptz;
