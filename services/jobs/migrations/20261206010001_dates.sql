-- Deadlines and publications without a time of day are dates. Beside each is the time for lists and for closing: of a deadline
-- the time when the date has ended everywhere, of a publication its midnight in UTC.

alter table jobs.postings
    add column application_deadline_date date,
    add column posted_date date;
