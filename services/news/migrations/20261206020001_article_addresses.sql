-- no-transaction
create index concurrently articles_canonical_url_idx on news.articles (canonical_url);
