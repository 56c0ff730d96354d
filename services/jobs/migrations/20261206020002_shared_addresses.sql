-- Postings of one feed may share an address, or differ only in what is tracking on other sites. Exact address and title tell them
-- apart (ingest.rs), in transactions that hold the lock of jobs.openings.
alter table jobs.postings drop constraint postings_url_key;
