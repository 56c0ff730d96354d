-- Account of the pictures in the store, so that none stays there for nobody.

-- A row is written before its object, and deleted after it: a process killed between leaves a row without uses, which
-- the sweeper works off.
create table profile.pictures (
    -- SHA-256 in hex: the object's name.
    hash text,
    -- Null when the member is gone, and the object about to go.
    member_id uuid,
    uses integer not null,
    unused_since timestamptz,
    constraint pictures_pkey primary key (hash),
    constraint pictures_member_id_fkey foreign key (member_id) references profile.members (id),
    constraint pictures_hash_check check (hash ~ '^[0-9a-f]{64}$'),
    constraint pictures_uses_check check (uses >= 0),
    constraint pictures_unused_since_check check ((uses = 0) = (unused_since is not null))
);

create index pictures_member_id_idx on profile.pictures (member_id);

create index pictures_unused_since_idx on profile.pictures (unused_since) where uses = 0;
