-- One member's word for a skill of another.

-- Without those the owner hid, and those of hidden members.
alter table profile.skills
    add column endorsement_count bigint not null default 0,
    add constraint skills_endorsement_count_check check (endorsement_count >= 0);

create table profile.endorsements (
    member_id uuid,
    skill text,
    endorser_id uuid,
    created_at timestamptz not null,
    -- By the skill's owner.
    hidden boolean not null,
    constraint endorsements_pkey primary key (member_id, skill, endorser_id),
    constraint endorsements_skill_fkey foreign key (member_id, skill) references profile.skills (member_id, name)
        on delete cascade,
    constraint endorsements_endorser_id_fkey foreign key (endorser_id) references profile.members (id),
    constraint endorsements_endorser_id_check check (endorser_id <> member_id)
);

create index endorsements_created_at_idx
    on profile.endorsements (member_id, skill, created_at desc, endorser_id desc);

-- Which skills of a member somebody endorsed, and everything somebody endorsed.
create index endorsements_endorser_id_idx on profile.endorsements (endorser_id, member_id);
