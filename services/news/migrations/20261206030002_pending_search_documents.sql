-- no-transaction
-- The documents that wait for the background work. An earlier version uses search_documents_state_idx, which stays.
create index concurrently search_documents_pending_idx on news.search_documents (state, id) where state < 4;
