-- Entries of one feed may share an address, or differ only in what is tracking on other sites. Identifier, exact address and title
-- tell them apart (ingest/recognition.rs), under the lock of news.pen. Earlier releases only lose such articles, as before.
alter table news.articles drop constraint articles_canonical_url_key;

create index articles_canonical_url_idx on news.articles (canonical_url);

comment on column news.articles.canonical_url is 'By which a crawl finds the articles that an item may be.';
comment on column news.articles.found_at is 'Without a date: the assumed time (ingest/undated.rs), at most the time when it was found.';
