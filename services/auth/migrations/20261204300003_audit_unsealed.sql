-- no-transaction
-- The rows that are not in the chain: nearly always none.
create index concurrently audit_unsealed_idx on auth.audit (at, id) where seq is null;
