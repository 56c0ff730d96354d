-- Entries of one feed may share an address, or differ only in what is tracking on other sites. Identifier, exact address and title
-- tell them apart (ingest/recognition.rs), under the lock of news.pen: canonical_url only finds the articles to compare. Without a
-- date, found_at is the assumed time (ingest/undated.rs).
alter table news.articles drop constraint articles_canonical_url_key;
