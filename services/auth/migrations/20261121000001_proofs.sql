-- How a member proves that an account is theirs when the password is forgotten, and accounts that are closed.

-- Closed by its owner: 14 days later the account is erased, unless somebody signs in before.
alter table auth.accounts
    add column closed_at timestamptz;

create index accounts_closed_at_idx on auth.accounts (closed_at) where closed_at is not null;

-- One row a browser and account that signed in there. Every sign-in gives the browser a new token, to which all its rows
-- move: a token planted in somebody's browser is worth nothing once they have signed in.
create table auth.trusted_browsers (
    -- SHA-256 of the token: whoever reads this table is not trusted for it.
    browser_hash bytea,
    member_id uuid,
    -- Of the last sign-in; 60 days later the browser is a stranger again.
    trusted_at timestamptz not null,
    constraint trusted_browsers_pkey primary key (browser_hash, member_id),
    constraint trusted_browsers_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint trusted_browsers_browser_hash_check check (octet_length(browser_hash) = 32)
);

create index trusted_browsers_member_id_idx on auth.trusted_browsers (member_id);
create index trusted_browsers_trusted_at_idx on auth.trusted_browsers (trusted_at);

-- Eight rows an account that made them; a used one stays, so that its owner sees that it is used.
create table auth.recovery_codes (
    member_id uuid,
    -- SHA-256 of the member's id and the code.
    code_hash bytea,
    made_at timestamptz not null,
    used_at timestamptz,
    constraint recovery_codes_pkey primary key (member_id, code_hash),
    constraint recovery_codes_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint recovery_codes_code_hash_check check (octet_length(code_hash) = 32)
);

-- The link an operator made for an account: a new one takes the place of the one before, and using it deletes it.
create table auth.reset_links (
    member_id uuid,
    -- SHA-256 of the token.
    token_hash bytea not null,
    ends_at timestamptz not null,
    constraint reset_links_pkey primary key (member_id),
    constraint reset_links_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint reset_links_token_hash_check check (octet_length(token_hash) = 32)
);

alter table auth.audit drop constraint audit_event_check;
alter table auth.audit add constraint audit_event_check check (event in (
    'registered', 'signed in', 'sign-in failed', 'signed out',
    'session ended', 'session displaced', 'signed out everywhere',
    'password changed', 'password refused',
    'reset by trusted browser', 'reset by recovery code', 'reset by link', 'reset refused',
    'recovery codes made', 'reset link made',
    'closed', 'reopened', 'erased', 'exported'
));

-- Consumers that come late are told of every account that is gone: these rows are all that is known of them.
create index audit_erased_idx on auth.audit (member_id) where event = 'erased';
