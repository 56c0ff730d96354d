-- What members did about postings.

create table jobs.applications (
    id uuid,
    posting_id uuid not null,
    member_id uuid not null,
    status text not null,
    notes text,
    applied_at timestamptz not null,
    constraint applications_pkey primary key (id),
    -- Nobody applies twice.
    constraint applications_member_id_posting_id_key unique (member_id, posting_id),
    constraint applications_posting_id_fkey foreign key (posting_id) references jobs.postings (id),
    constraint applications_status_check
        check (status in ('applied', 'interviewed', 'offered', 'accepted', 'rejected', 'withdrawn'))
);

create index applications_member_id_applied_at_idx on jobs.applications (member_id, applied_at desc, id desc);
create index applications_posting_id_idx on jobs.applications (posting_id);

-- Every status an application has had, the present one included.
create table jobs.application_history (
    id uuid,
    application_id uuid not null,
    status text not null,
    note text,
    at timestamptz not null,
    constraint application_history_pkey primary key (id),
    constraint application_history_application_id_fkey
        foreign key (application_id) references jobs.applications (id) on delete cascade,
    constraint application_history_status_check
        check (status in ('applied', 'interviewed', 'offered', 'accepted', 'rejected', 'withdrawn'))
);

create index application_history_application_id_idx on jobs.application_history (application_id, at);
