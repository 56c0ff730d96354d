-- Whether a member sent an application on the employer's own site, and the reminders before the deadline.

alter table jobs.applications
    -- The answer of the member; null: none.
    add column sent_to_employer text,
    -- The time of the answer.
    add column sent_to_employer_at timestamptz,
    -- The last reminder, in days before the deadline; null: none.
    add column reminded_days smallint,
    add constraint applications_sent_to_employer_check check (sent_to_employer in ('yes', 'not-yet')),
    add constraint applications_sent_to_employer_at_check
        check ((sent_to_employer is null) = (sent_to_employer_at is null)),
    add constraint applications_reminded_days_check check (reminded_days in (1, 3));

-- The applications that a reminder may be about.
create index applications_unsent_idx on jobs.applications (posting_id)
    where sent_to_employer = 'not-yet' and status = 'applied';
