-- The tables of social-graph.

-- Members.

-- The read model of members from the facts of auth and profile; active_at is written here. A row may exist before either
-- service has published the member: it is the lock of connection requests, blocks and deactivation.
create table social_graph.members (
    member_id uuid,
    -- School and location for comparison: lower case, single spaces. Null without a text in the profile.
    school_key text,
    location_key text,
    -- The time of registration; null until auth's fact is applied.
    joined_at timestamptz,
    -- The time of registration or of the last action, to the hour. Null for a member without a fact.
    active_at timestamptz,
    -- The account is closed.
    hidden boolean not null default false,
    -- A copy of profile's audience: members whose profile only their connections may see are not suggested.
    unlisted boolean not null default false,
    -- The time at which the daily allowance of requests to connect is full again; each request moves it. Null before the
    -- first one.
    allowance_full_at timestamptz,
    -- The time at which the daily allowance of follows is full again; each follow of a new account moves it. Null before the
    -- first one.
    follows_full_at timestamptz,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (school_key <> ''),
    constraint members_location_key_check check (location_key <> '')
);

comment on column social_graph.members.member_id is 'not exported: a copy, which profile exports; erased';

-- Suggestions scan these in descending order of activity.
create index members_school_key_active_at_idx
    on social_graph.members (school_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_location_key_active_at_idx
    on social_graph.members (location_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_active_at_idx
    on social_graph.members (active_at desc, member_id)
    where not hidden and active_at is not null;

-- Suggestions by mutual connections exclude these.
create index members_unlisted_idx on social_graph.members (member_id) where unlisted;

-- The sizes of a member's lists, updated in the transaction of the change; rows are locked in the order of member_id.
-- Separate from members, because a closed account changes the counts of all its connections.
create table social_graph.member_counts (
    member_id uuid,
    -- Accepted connections with open accounts.
    connections bigint not null,
    -- Pending requests of open accounts to this member.
    requests bigint not null,
    constraint member_counts_pkey primary key (member_id),
    constraint member_counts_connections_check check (connections >= 0),
    constraint member_counts_requests_check check (requests >= 0)
);

comment on column social_graph.member_counts.member_id is 'not exported: the numbers of connections and requests; erased';

-- Connections, dismissals, blocks and follows.

-- One row for each unordered pair, so that requests in both directions meet in it. The hidden flags copy the state of the
-- accounts: a list scans one index, and a writer knows from the row which counts include it.
create table social_graph.connections (
    id uuid,
    requester_id uuid not null,
    recipient_id uuid not null,
    status text not null,
    -- The time of the current request; a new request after a rejection replaces it.
    requested_at timestamptz not null,
    -- The time of the answer; a rejected requester may ask again 30 days later.
    answered_at timestamptz,
    requester_hidden boolean not null default false,
    recipient_hidden boolean not null default false,
    constraint connections_pkey primary key (id),
    constraint connections_recipient_id_check check (recipient_id <> requester_id),
    constraint connections_status_check check (status in ('pending', 'accepted', 'rejected')),
    constraint connections_answered_at_check check ((answered_at is null) = (status = 'pending'))
);

comment on column social_graph.connections.requester_id is 'exported in connections, connection-requests; erased';
comment on column social_graph.connections.recipient_id is 'exported in connections, connection-requests; erased';

create unique index connections_pair_key
    on social_graph.connections (least(requester_id, recipient_id), greatest(requester_id, recipient_id));

-- All rows of a member, for erasure. The index of the pair serves the smaller id, this one the greater.
create index connections_greatest_idx on social_graph.connections (greatest(requester_id, recipient_id));

-- One list index for each side. The included id lets the search for mutual connections skip the table.
create index connections_requester_id_shown_idx
    on social_graph.connections (requester_id, answered_at desc, id desc)
    include (recipient_id)
    where status = 'accepted' and not recipient_hidden;

create index connections_recipient_id_shown_idx
    on social_graph.connections (recipient_id, answered_at desc, id desc)
    include (requester_id)
    where status = 'accepted' and not requester_hidden;

create index connections_recipient_id_waiting_idx
    on social_graph.connections (recipient_id, requested_at desc, id desc)
    where status = 'pending' and not requester_hidden;

-- The requests of a member that wait for an answer: their number is limited.
create index connections_requester_id_waiting_idx on social_graph.connections (requester_id) where status = 'pending';

-- Suggestions that a member has dismissed.
create table social_graph.dismissed_suggestions (
    member_id uuid,
    dismissed_id uuid,
    dismissed_at timestamptz not null,
    constraint dismissed_suggestions_pkey primary key (member_id, dismissed_id),
    constraint dismissed_suggestions_dismissed_id_check check (dismissed_id <> member_id)
);

comment on column social_graph.dismissed_suggestions.member_id is 'exported in dismissed-suggestions; erased';
comment on column social_graph.dismissed_suggestions.dismissed_id is 'not exported: the choice of another member; erased';

create index dismissed_suggestions_dismissed_id_idx on social_graph.dismissed_suggestions (dismissed_id);

-- One row for each direction: both members may block, and each lifts only their own block.
create table social_graph.blocks (
    blocker_id uuid,
    blocked_id uuid,
    blocked_at timestamptz not null,
    constraint blocks_pkey primary key (blocker_id, blocked_id),
    constraint blocks_blocked_id_check check (blocked_id <> blocker_id)
);

comment on column social_graph.blocks.blocker_id is 'exported in blocks; erased';
comment on column social_graph.blocks.blocked_id is 'not exported: the choice of another member, which is confidential; erased';

create index blocks_blocked_id_idx on social_graph.blocks (blocked_id);
create index blocks_blocker_id_blocked_at_idx on social_graph.blocks (blocker_id, blocked_at desc, blocked_id desc);

-- Members followed by others: one row for each direction.
create table social_graph.follows (
    follower_id uuid,
    followed_id uuid,
    followed_at timestamptz not null,
    constraint follows_pkey primary key (follower_id, followed_id),
    constraint follows_followed_id_check check (followed_id <> follower_id)
);

comment on column social_graph.follows.follower_id is 'exported in followed-members; erased';
comment on column social_graph.follows.followed_id is 'not exported: the choice of another member; erased';

-- For the erasure of a followed member.
create index follows_followed_id_idx on social_graph.follows (followed_id);
-- The list of a member, newest first.
create index follows_newest_idx on social_graph.follows (follower_id, followed_at desc, followed_id desc);

-- Communities.

create table social_graph.communities (
    id uuid,
    name text not null,
    -- The name for comparison: lower case, single spaces. Postgres folds the case of all alphabets only in some locales,
    -- so the service computes it.
    name_key text not null,
    description text,
    -- What the owners expect of members; shown before joining.
    rules text,
    visibility text not null default 'public',
    -- Who joins without a moderator's consent: anyone, or invited members only.
    joining text not null default 'open',
    -- Members with open accounts, updated in the transaction of the change.
    member_count bigint not null default 0,
    created_at timestamptz not null,
    constraint communities_pkey primary key (id),
    constraint communities_name_check check (char_length(name) between 1 and 100),
    constraint communities_description_check check (char_length(description) <= 500),
    constraint communities_rules_check check (char_length(rules) <= 5000),
    constraint communities_visibility_check check (visibility in ('public', 'private')),
    -- A member who is not invited cannot see a private community, and so cannot ask to join it.
    constraint communities_joining_check
        check (joining in ('open', 'request', 'invitation') and (visibility = 'public' or joining = 'invitation')),
    constraint communities_member_count_check check (member_count >= 0)
);

-- Names are unique among public communities only: a refused name must not reveal a private community.
create unique index communities_public_name_key
    on social_graph.communities (name_key)
    where visibility = 'public';

create index communities_public_member_count_idx
    on social_graph.communities (member_count desc, id desc)
    where visibility = 'public';

create table social_graph.memberships (
    community_id uuid,
    member_id uuid,
    role text not null,
    joined_at timestamptz not null,
    hidden boolean not null default false,
    -- A copy of the visibility of the community: a search begins with the private communities of its member.
    is_private boolean not null default false,
    constraint memberships_pkey primary key (community_id, member_id),
    constraint memberships_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint memberships_role_check check (role in ('owner', 'moderator', 'member'))
);

comment on column social_graph.memberships.member_id is 'exported in memberships; erased';

create index memberships_member_id_idx on social_graph.memberships (member_id, joined_at desc);

create index memberships_member_id_private_idx
    on social_graph.memberships (member_id, joined_at desc, community_id)
    where is_private;

-- The list of members, owners first, and the choice of the next owner after an erasure.
create index memberships_community_id_shown_idx
    on social_graph.memberships (community_id, hidden, (role <> 'owner'), joined_at, member_id);

-- The check for another owner, at any size of the community.
create index memberships_community_id_owner_idx on social_graph.memberships (community_id) where role = 'owner';

-- Moderators come first in the choice of the next owner.
create index memberships_community_id_moderator_idx on social_graph.memberships (community_id) where role = 'moderator';

-- The requests to join that wait for an answer.
create table social_graph.community_requests (
    community_id uuid,
    member_id uuid,
    requested_at timestamptz not null,
    constraint community_requests_pkey primary key (community_id, member_id),
    constraint community_requests_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

comment on column social_graph.community_requests.member_id is 'exported in community-requests; erased';

create index community_requests_oldest_idx
    on social_graph.community_requests (community_id, requested_at, member_id);
create index community_requests_member_id_idx on social_graph.community_requests (member_id);

-- A declined request delays the next one. A ban and its end change nothing about it.
create table social_graph.community_request_declines (
    community_id uuid,
    member_id uuid,
    declined_at timestamptz not null,
    constraint community_request_declines_pkey primary key (community_id, member_id),
    constraint community_request_declines_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

comment on column social_graph.community_request_declines.member_id is 'exported in community-request-declines; erased';

-- For erasure and export.
create index community_request_declines_member_id_idx on social_graph.community_request_declines (member_id);

create table social_graph.community_invitations (
    community_id uuid,
    member_id uuid,
    -- Null after that account is erased.
    invited_by uuid,
    invited_at timestamptz not null,
    -- A declined invitation stays, because it delays the next one.
    declined_at timestamptz,
    -- The member blocks its author and does not see it. To the moderators it is one that waits for an answer.
    is_withheld boolean not null default false,
    constraint community_invitations_pkey primary key (community_id, member_id),
    constraint community_invitations_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade
);

comment on column social_graph.community_invitations.member_id is 'exported in community-invitations; erased';
comment on column social_graph.community_invitations.invited_by is 'not exported: community-actions has the invitation; erased';

create index community_invitations_newest_idx
    on social_graph.community_invitations (community_id, invited_at desc, member_id desc)
    where declined_at is null;
create index community_invitations_member_id_idx
    on social_graph.community_invitations (member_id, invited_at desc, community_id desc);
-- For blocks and erasure.
create index community_invitations_invited_by_idx on social_graph.community_invitations (invited_by);

create table social_graph.community_bans (
    community_id uuid,
    member_id uuid,
    -- Null without a stated reason.
    reason text,
    banned_at timestamptz not null,
    -- Whether the member belonged to the community. Others do not learn the ids of private communities.
    was_member boolean not null default false,
    constraint community_bans_pkey primary key (community_id, member_id),
    constraint community_bans_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint community_bans_reason_check check (reason in ('rules', 'off_topic', 'spam', 'harassment', 'other'))
);

comment on column social_graph.community_bans.member_id is 'exported in community-bans; erased';

create index community_bans_newest_idx
    on social_graph.community_bans (community_id, banned_at desc, member_id desc);
-- For the erasure of a banned member.
create index community_bans_member_id_idx on social_graph.community_bans (member_id);

-- What owners and moderators did.
create table social_graph.community_log (
    id uuid,
    community_id uuid not null,
    action text not null,
    -- Null after that account is erased.
    actor_id uuid,
    -- The member concerned. Null after that account is erased.
    member_id uuid,
    -- The new role, for `role_set`.
    role text,
    reason text,
    created_at timestamptz not null,
    constraint community_log_pkey primary key (id),
    constraint community_log_community_id_fkey
        foreign key (community_id) references social_graph.communities (id) on delete cascade,
    constraint community_log_action_check check (
        action in (
            'role_set', 'transferred', 'member_removed', 'member_banned', 'member_unbanned', 'post_removed',
            'comment_removed', 'succeeded', 'join_approved', 'join_declined', 'member_invited', 'invitation_withdrawn'
        )
    ),
    constraint community_log_role_check check (
        (role is not null) = (action = 'role_set') and role in ('owner', 'moderator', 'member')
    ),
    constraint community_log_reason_check check (reason in ('rules', 'off_topic', 'spam', 'harassment', 'other'))
);

comment on column social_graph.community_log.action is 'not erased: the log of the community stays';
comment on column social_graph.community_log.actor_id is 'exported in community-actions; erased';
comment on column social_graph.community_log.member_id is 'not exported: an action of another member; erased';
comment on column social_graph.community_log.role is 'not erased: as the action';
comment on column social_graph.community_log.reason is 'not erased: as the action';

create index community_log_newest_idx on social_graph.community_log (community_id, created_at desc, id desc);
-- For erasure and export.
create index community_log_actor_id_idx on social_graph.community_log (actor_id);
create index community_log_member_id_idx on social_graph.community_log (member_id);

-- The sizes of whole lists, in one row, updated in the transaction of the change as its last lock.
create table social_graph.totals (
    id smallint,
    communities bigint not null,
    constraint totals_pkey primary key (id),
    constraint totals_id_check check (id = 1),
    constraint totals_communities_check check (communities >= 0)
);

insert into social_graph.totals (id, communities) values (1, 0);

-- Events.

create table social_graph.events (
    id uuid,
    title text not null,
    description text,
    location text,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    -- An IANA name, the time zone of the event.
    time_zone text not null,
    -- Null after the organiser's account is erased; the event stays for its attendees.
    organiser_id uuid,
    -- Attendees with open accounts, updated in the transaction of the change.
    attendee_count bigint not null default 0,
    created_at timestamptz not null,
    -- Calendars recognise a newer version by it; each change increments it.
    revision integer not null default 0,
    constraint events_pkey primary key (id),
    constraint events_title_check check (char_length(title) between 1 and 200),
    -- The bound lets the list of upcoming events start inside its index: see MAX_DURATION.
    constraint events_ends_at_check check (ends_at > starts_at and ends_at - starts_at <= interval '14 days'),
    constraint events_attendee_count_check check (attendee_count >= 0),
    constraint events_revision_check check (revision >= 0),
    constraint events_description_check check (char_length(description) <= 5000),
    constraint events_location_check check (char_length(location) <= 200)
);

comment on column social_graph.events.title is 'not erased: the event stays for its attendees';
comment on column social_graph.events.description is 'not erased: as the title';
comment on column social_graph.events.location is 'not erased: as the title';
comment on column social_graph.events.time_zone is 'not erased: as the title';
comment on column social_graph.events.organiser_id is 'exported in events-organised; erased';

create index events_starts_at_idx on social_graph.events (starts_at, id);
create index events_organiser_id_idx on social_graph.events (organiser_id);

create table social_graph.attendances (
    id uuid,
    event_id uuid not null,
    member_id uuid not null,
    said_at timestamptz not null,
    hidden boolean not null default false,
    constraint attendances_pkey primary key (id),
    constraint attendances_event_id_member_id_key unique (event_id, member_id),
    constraint attendances_event_id_fkey
        foreign key (event_id) references social_graph.events (id) on delete cascade
);

comment on column social_graph.attendances.member_id is 'exported in attendances; erased';

create index attendances_event_id_shown_idx
    on social_graph.attendances (event_id, said_at, id)
    where not hidden;

create index attendances_member_id_idx on social_graph.attendances (member_id);
