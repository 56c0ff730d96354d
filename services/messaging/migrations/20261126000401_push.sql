-- Web push: the key of this installation, the subscriptions of browsers, and the pushes that wait for them.

-- One row: all replicas sign with the same key, because a browser subscribes with it.
create table messaging.vapid_keys (
    id smallint,
    -- PKCS#8.
    private_key bytea not null,
    -- An uncompressed P-256 point.
    public_key bytea not null,
    created_at timestamptz not null,
    constraint vapid_keys_pkey primary key (id),
    constraint vapid_keys_id_check check (id = 1),
    constraint vapid_keys_public_key_check check (octet_length(public_key) = 65)
);

create table messaging.push_subscriptions (
    id uuid,
    member_id uuid not null,
    -- The subscription ends with its session.
    session_id uuid not null,
    -- The address of the browser at its push service, and the keys of the encryption: secrets.
    endpoint text not null,
    p256dh bytea not null,
    auth bytea not null,
    language text not null,
    topics text[] not null,
    -- The name of the browser, for the list.
    browser text not null,
    created_at timestamptz not null,
    last_success_at timestamptz,
    constraint push_subscriptions_pkey primary key (id),
    constraint push_subscriptions_endpoint_key unique (endpoint),
    constraint push_subscriptions_endpoint_check check (octet_length(endpoint) <= 2000),
    constraint push_subscriptions_p256dh_check check (octet_length(p256dh) = 65),
    constraint push_subscriptions_auth_check check (octet_length(auth) = 16),
    constraint push_subscriptions_language_check check (language in ('en', 'fil')),
    constraint push_subscriptions_topics_check
        check (topics <@ array['messages', 'connections', 'posts', 'reminders'] and cardinality(topics) between 1 and 4),
    constraint push_subscriptions_browser_check check (char_length(browser) between 1 and 80)
);

create index push_subscriptions_member_id_idx on messaging.push_subscriptions (member_id);
create index push_subscriptions_session_id_idx on messaging.push_subscriptions (session_id);

-- One row for each browser and conversation or notification: later messages of a conversation use the row that waits.
create table messaging.push_deliveries (
    subscription_id uuid,
    -- The conversation or the notification.
    subject_id uuid,
    subject_kind text not null,
    -- The newest message of a conversation.
    message_id uuid,
    -- Incremented by each cause: a cause that arrives while the row is being sent makes it due again.
    revision integer not null default 1,
    -- Attempts to send this row.
    attempts integer not null default 0,
    -- The time of the next attempt. A worker that sends the row moves it to the end of its lease.
    due_at timestamptz not null,
    -- Afterwards the push is not sent.
    expires_at timestamptz not null,
    constraint push_deliveries_pkey primary key (subscription_id, subject_id),
    constraint push_deliveries_subscription_id_fkey
        foreign key (subscription_id) references messaging.push_subscriptions (id) on delete cascade,
    constraint push_deliveries_subject_kind_check check (subject_kind in ('conversation', 'notification')),
    constraint push_deliveries_message_id_check check ((message_id is not null) = (subject_kind = 'conversation')),
    constraint push_deliveries_revision_check check (revision > 0),
    constraint push_deliveries_attempts_check check (attempts >= 0)
);

create index push_deliveries_due_at_idx on messaging.push_deliveries (due_at);
