-- no-transaction
create index concurrently postings_url_idx on jobs.postings (url);
