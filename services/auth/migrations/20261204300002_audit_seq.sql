-- no-transaction
-- A place of the chain has one row, and the chain is read in its order.
create unique index concurrently audit_seq_key on auth.audit (seq);
