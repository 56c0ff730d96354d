-- When an operator requested that a dead fact is applied again; null otherwise. The consumer of its source does it.
alter table news.dead_facts add column replay_at timestamptz;
