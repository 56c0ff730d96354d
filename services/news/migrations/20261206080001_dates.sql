-- A publication without a time of day is a date. Beside it is the time for lists: its midnight in UTC.

alter table news.articles
    add column published_date date;
