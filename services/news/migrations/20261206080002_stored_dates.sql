-- Converts stored articles, without the lock that adding the column takes: earlier versions stored a date as midnight in UTC.

update news.articles a
set published_date = (a.published_at at time zone 'UTC')::date
from news.sources s
where s.id = a.source_id
    and s.connector <> 'demo'
    and (a.published_at at time zone 'UTC')::time = time '00:00:00';
