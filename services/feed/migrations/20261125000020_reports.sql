-- What members tell the people who run Portia of, and what was decided.

create table feed.reports (
    id uuid,
    -- Null once that account is gone: what they told of still waits to be looked at.
    reporter_id uuid,
    kind text not null,
    -- Its owner's id for it.
    item_id uuid not null,
    -- Whose it is; null for a posting.
    subject_id uuid,
    -- What it said then: to change it, or to take it away, hides it from nobody who looks.
    excerpt text not null,
    reason text not null,
    -- The reporter's own.
    words text,
    created_at timestamptz not null,
    resolved_at timestamptz,
    outcome text,
    constraint reports_pkey primary key (id),
    constraint reports_kind_check check (kind in ('post', 'comment', 'member', 'message', 'job')),
    constraint reports_excerpt_check check (char_length(excerpt) <= 4000),
    constraint reports_reason_check
        check (reason in ('spam', 'harassment', 'false-information', 'illegal', 'other')),
    constraint reports_words_check check (char_length(words) between 1 and 1000),
    constraint reports_outcome_check
        check (outcome in ('removed', 'dismissed') and (outcome is null) = (resolved_at is null))
);

-- The same thing again of the same member is one report, until it was decided.
create unique index reports_reporter_id_kind_item_id_key
    on feed.reports (reporter_id, kind, item_id)
    where resolved_at is null;
-- Those that wait, by age; and all of a thing's, which are decided together.
create index reports_created_at_idx on feed.reports (created_at, id) where resolved_at is null;
create index reports_kind_item_id_idx on feed.reports (kind, item_id) where resolved_at is null;
-- For whoever takes home what is theirs, or is forgotten.
create index reports_reporter_id_idx on feed.reports (reporter_id) where reporter_id is not null;
create index reports_subject_id_idx on feed.reports (subject_id) where subject_id is not null;
