-- Postings that operators close for good.

alter table jobs.postings
    -- No crawl opens it again, however long its source tells of it.
    add column removed_at timestamptz;
