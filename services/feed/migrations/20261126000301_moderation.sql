-- Decisions of moderators on reports, removed posts and comments, and appeals.

alter table feed.reports
    -- The moderator who decided; null for an operator and after the account of the moderator is erased.
    add column decided_by uuid,
    add column decision_reason text,
    -- A remark for operators and moderators.
    add column note text,
    -- The report by which all open reports of the item were decided; null for a decision on this one only.
    add column decision_id uuid,
    add constraint reports_decision_reason_check check (
        decision_reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other',
            'no-violation', 'resolved'
        )
    ),
    add constraint reports_note_check check (char_length(note) between 1 and 1000),
    add constraint reports_decision_check
        check (resolved_at is not null or num_nonnulls(decided_by, decision_reason, note, decision_id) = 0);

-- Decided reports, newest first; of reports that were decided together only the first one.
create index reports_decided_idx on feed.reports (resolved_at desc, id desc)
    where resolved_at is not null and (decision_id is null or decision_id = id);
-- The reports of one item, open or decided, and those that were decided together.
create index reports_item_idx on feed.reports (kind, item_id);
create index reports_decision_id_idx on feed.reports (decision_id) where decision_id is not null;
create index reports_decided_by_idx on feed.reports (decided_by) where decided_by is not null;

-- Posts and comments that a decision removed. The content is kept for 30 days, so that an appeal can restore it: a post in
-- feed.posts with an author and a community that do not exist (src/moderation/removal.rs), comments in
-- feed.removed_comments.
create table feed.removals (
    -- The id of the report that was decided, and of the audit row.
    id uuid,
    kind text not null,
    item_id uuid not null,
    author_id uuid not null,
    -- The text as it was reported.
    excerpt text not null,
    reason text not null,
    -- The moderator; null for an operator and after the account of the moderator is erased.
    removed_by uuid,
    removed_at timestamptz not null,
    -- The end of the time in which the content is kept; null when it is not, or no longer.
    kept_until timestamptz,
    -- Of a removed post.
    community_id uuid,
    repost_of uuid,
    -- The text of the author.
    appeal text,
    appealed_at timestamptz,
    appeal_outcome text,
    appeal_reason text,
    -- A remark for moderators.
    appeal_note text,
    appeal_decided_by uuid,
    appeal_decided_at timestamptz,
    -- Whether the content is visible again.
    is_restored boolean not null default false,
    constraint removals_pkey primary key (id),
    constraint removals_kind_check check (kind in ('post', 'comment')),
    constraint removals_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other'
        )
    ),
    constraint removals_appeal_check
        check (char_length(appeal) between 1 and 1000 and (appeal is null) = (appealed_at is null)),
    constraint removals_appeal_outcome_check
        check (
            appeal_outcome in ('upheld', 'overturned')
            and (appeal_outcome is null or appealed_at is not null)
            and (appeal_outcome is null) = (appeal_decided_at is null)
            and (appeal_outcome is null) = (appeal_reason is null)
        ),
    constraint removals_appeal_note_check check (char_length(appeal_note) between 1 and 1000),
    -- Another moderator decides the appeal.
    constraint removals_appeal_decided_by_check check (appeal_decided_by <> removed_by),
    constraint removals_is_restored_check check (not is_restored or appeal_outcome = 'overturned')
);

create index removals_appeals_idx on feed.removals (appealed_at, id)
    where appealed_at is not null and appeal_outcome is null;
create index removals_decided_appeals_idx on feed.removals (appeal_decided_at desc, id desc)
    where appeal_decided_at is not null;
create index removals_kept_until_idx on feed.removals (kept_until) where kept_until is not null;
create index removals_item_id_idx on feed.removals (item_id);
-- For the export and the erasure of a member.
create index removals_author_id_idx on feed.removals (author_id);
create index removals_removed_by_idx on feed.removals (removed_by) where removed_by is not null;
create index removals_appeal_decided_by_idx on feed.removals (appeal_decided_by) where appeal_decided_by is not null;

-- A removed comment and the replies to it. They are deleted with their post.
create table feed.removed_comments (
    id uuid,
    removal_id uuid not null,
    post_id uuid not null,
    author_id uuid not null,
    content text not null,
    created_at timestamptz not null,
    edited_at timestamptz,
    reply_to uuid,
    constraint removed_comments_pkey primary key (id),
    constraint removed_comments_removal_id_fkey
        foreign key (removal_id) references feed.removals (id) on delete cascade,
    constraint removed_comments_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade
);

create index removed_comments_removal_id_idx on feed.removed_comments (removal_id);
create index removed_comments_post_id_idx on feed.removed_comments (post_id);
create index removed_comments_author_id_idx on feed.removed_comments (author_id);
