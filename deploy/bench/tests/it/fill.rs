//! The content of the filled tables.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use portia_bench::{
    fill::{PASSWORD, fill},
    seed,
    world::World,
};

use crate::database::{Database, run};

/// Tables that are also empty in a new Portia: outbox, background work, idempotency keys, trusted browsers, saved
/// items, topics, link previews, reactions to comments and messages, reports, pictures (stored elsewhere), files, privacy settings,
/// onboarding, web push, closed accounts, and crawls (no source is fetched).
const EMPTY: &[&str] = &[
    "auth.dead_facts",
    "auth.disputes",
    "auth.known_browsers",
    "auth.moderators",
    "auth.outbox",
    "auth.passkey_ceremonies",
    "auth.passkeys",
    "auth.recovery_codes",
    "auth.reset_links",
    "auth.snapshot_rows",
    "auth.snapshots",
    "auth.suspensions",
    "auth.totp_secrets",
    "auth.trusted_browsers",
    "feed.comment_reactions",
    "feed.daily_allowances",
    "feed.dead_facts",
    "feed.erasures",
    "feed.follows",
    "feed.hidden_members",
    "feed.hidden_posts",
    "feed.idempotency_keys",
    "feed.link_previews",
    "feed.link_quotas",
    "feed.mention_allowances",
    "feed.mutes",
    "feed.outbox",
    "feed.pdf_files",
    "feed.pictures",
    "feed.post_topics",
    "feed.privacy_settings",
    "feed.removals",
    "feed.removed_comments",
    "feed.reports",
    "feed.saved_items",
    "feed.savers",
    "feed.search_authors",
    "feed.snapshot_rows",
    "feed.snapshots",
    "feed.topic_follows",
    "jobs.application_files",
    "jobs.crawls",
    "jobs.dead_facts",
    "jobs.file_allowances",
    "jobs.idempotency_keys",
    "jobs.outbox",
    "jobs.snapshot_rows",
    "jobs.snapshots",
    "messaging.attachments",
    "messaging.closed_members",
    "messaging.dead_facts",
    "messaging.ended_sessions",
    "messaging.erasures",
    "messaging.former_memberships",
    "messaging.group_departures",
    "messaging.idempotency_keys",
    "messaging.message_reactions",
    "messaging.notification_causes",
    "messaging.notification_locks",
    "messaging.notification_switches",
    "messaging.notifications",
    "messaging.outbox",
    "messaging.privacy_settings",
    "messaging.push_deliveries",
    "messaging.push_subscriptions",
    "messaging.reported_attachments",
    "messaging.request_allowances",
    "messaging.snapshot_rows",
    "messaging.snapshots",
    "messaging.vapid_keys",
    "news.crawls",
    "news.dead_facts",
    "news.outbox",
    "news.snapshot_rows",
    "news.snapshots",
    "news.suggesters",
    "profile.dead_facts",
    "profile.onboarding",
    "profile.outbox",
    "profile.pictures",
    "profile.snapshot_rows",
    "profile.snapshots",
    "profile.stewards",
    "profile.verification_decisions",
    "social_graph.community_bans",
    "social_graph.community_invitations",
    "social_graph.community_log",
    "social_graph.community_request_declines",
    "social_graph.community_requests",
    "social_graph.dead_facts",
    "social_graph.follows",
    "social_graph.idempotency_keys",
    "social_graph.outbox",
    "social_graph.snapshot_rows",
    "social_graph.snapshots",
];

/// An invariant, and a statement that returns its violations.
const WRONG: [(&str, &str); 25] = [
    (
        "a post's counters",
        "select p.id::text
        from feed.posts p
        where p.like_count <> (select count(*) from feed.reactions r where r.post_id = p.id)
            or p.comment_count <> (select count(*) from feed.comments c where c.post_id = p.id)",
    ),
    (
        "a post's freshness",
        "select id::text from feed.posts where abs(freshness - extract(epoch from created_at) / 86400) > 1e-9",
    ),
    (
        "a post, reaction or comment in a community by another member",
        "select activity.member_id::text
        from (
            select id as post_id, author_id as member_id from feed.posts
            union all
            select post_id, member_id from feed.reactions
            union all
            select post_id, author_id from feed.comments
        ) as activity
        join feed.posts p on p.id = activity.post_id and p.community_id is not null
        where not exists (
            select from feed.memberships m where m.community_id = p.community_id and m.member_id = activity.member_id
        )",
    ),
    (
        "a reaction or comment before its post",
        "select r.post_id::text
        from feed.reactions r join feed.posts p on p.id = r.post_id
        where r.created_at < p.created_at
        union all
        select c.post_id::text
        from feed.comments c join feed.posts p on p.id = c.post_id
        where c.created_at < p.created_at
        union all
        select p.id::text
        from feed.posts p join auth.accounts a on a.id = p.author_id
        where p.created_at < a.created_at",
    ),
    (
        "the school on a post",
        "select p.id::text
        from feed.posts p left join feed.members m on m.member_id = p.author_id
        where p.school_key is distinct from m.school_key",
    ),
    (
        "members who differ between services",
        "select coalesce(a.id, p.id, g.member_id)::text
        from auth.accounts a
        full join profile.members p on p.id = a.id
        full join social_graph.members g on g.member_id = coalesce(a.id, p.id)
        where a.id is null or p.id is null or g.member_id is null
            or a.username <> p.username or a.created_at <> p.created_at or g.joined_at <> a.created_at
            or g.school_key is distinct from lower(p.school) or g.location_key is distinct from lower(p.location)",
    ),
    (
        "a member's number of connections",
        "select m.id::text
        from profile.members m
        where m.connection_count <> (
            select count(*) from profile.connections c where m.id in (c.lower_id, c.upper_id)
        )",
    ),
    (
        "profile's copy of connections",
        "select coalesce(c.id::text, p.lower_id::text)
        from (select * from social_graph.connections where status = 'accepted') c
        full join profile.connections p
            on p.lower_id = least(c.requester_id, c.recipient_id)
            and p.upper_id = greatest(c.requester_id, c.recipient_id)
        where c.id is null or p.lower_id is null",
    ),
    (
        "feed's copy of connections",
        "select coalesce(c.id, f.connection_id)::text
        from (
            select id, requester_id as member_id, recipient_id as other_id
            from social_graph.connections
            where status = 'accepted'
            union all
            select id, recipient_id, requester_id from social_graph.connections where status = 'accepted'
        ) as c
        full join feed.connections f
            on f.connection_id = c.id and f.member_id = c.member_id and f.other_id = c.other_id
        where c.id is null or f.connection_id is null",
    ),
    (
        "feed's copy of communities",
        "(select id::text || name from social_graph.communities except select id::text || name from feed.communities)
        union all
        (select id::text || name from feed.communities except select id::text || name from social_graph.communities)",
    ),
    (
        "feed's copy of memberships",
        "select coalesce(m.member_id, f.member_id)::text
        from social_graph.memberships m
        full join feed.memberships f on f.member_id = m.member_id and f.community_id = m.community_id
        where m.member_id is null or f.member_id is null or f.moderates <> (m.role <> 'member')",
    ),
    (
        "the copies of blocks",
        "select coalesce(b.blocker_id, f.blocker_id, p.blocker_id)::text
        from social_graph.blocks b
        full join feed.blocks f on f.blocker_id = b.blocker_id and f.blocked_id = b.blocked_id
        full join profile.blocks p
            on p.blocker_id = coalesce(b.blocker_id, f.blocker_id)
            and p.lower_id = least(b.blocker_id, b.blocked_id)
            and p.upper_id = greatest(b.blocker_id, b.blocked_id)
        full join messaging.blocks m
            on m.blocker_id = coalesce(b.blocker_id, f.blocker_id, p.blocker_id) and m.blocked_id = b.blocked_id
        where b.blocker_id is null or f.blocker_id is null or p.blocker_id is null or m.blocker_id is null",
    ),
    (
        "a connected pair without a conversation",
        "select c.id::text
        from (select * from social_graph.connections where status = 'accepted') c
        left join messaging.conversations m
            on m.lower_member_id = least(c.requester_id, c.recipient_id)
            and m.upper_member_id = greatest(c.requester_id, c.recipient_id)
        where m.id is null
            or 2 <> (select count(*) from messaging.participants p where p.conversation_id = m.id)",
    ),
    (
        "messaging's copy of memberships",
        "select coalesce(m.member_id, b.member_id)::text
        from social_graph.memberships m
        full join messaging.memberships b
            on b.member_id = m.member_id and b.community_id = m.community_id and b.is_owner = (m.role = 'owner')
        where m.member_id is null or b.member_id is null",
    ),
    (
        "the number of communities",
        "select communities::text
        from social_graph.totals
        where communities <> (select count(*) from social_graph.communities)",
    ),
    (
        "a community without an owner",
        "select id::text
        from social_graph.communities c
        where not exists (
            select from social_graph.memberships m where m.community_id = c.id and m.role = 'owner' and not m.hidden
        )
            or c.name_key <> lower(c.name)",
    ),
    (
        "a skill's endorsements",
        "select s.member_id || s.name
        from profile.skills s
        where s.endorsement_count <> (
            select count(*) from profile.endorsements e where e.member_id = s.member_id and e.skill = s.name
        )",
    ),
    (
        "an endorsement by a member without a connection",
        "select e.member_id::text
        from profile.endorsements e
        where not exists (
            select
            from profile.connections c
            where c.lower_id = least(e.member_id, e.endorser_id) and c.upper_id = greatest(e.member_id, e.endorser_id)
        )",
    ),
    (
        "a member's views",
        "select m.id::text
        from profile.members m
        left join profile.view_counts c on c.member_id = m.id
        where coalesce(c.n, 0) <> (select count(*) from profile.views v where v.member_id = m.id)",
    ),
    (
        "the open postings of a source",
        "select s.source_id::text
        from jobs.stats s
        where (s.total, s.internships, s.entry_level, s.full_time) <> (
            select
                count(*),
                count(*) filter (where employment_type = 'internship'),
                count(*) filter (where experience_level = 'entry-level'),
                count(*) filter (where employment_type = 'full-time')
            from jobs.postings p
            where p.source_id = s.source_id and p.closed_at is null
        )
        union all
        select id::text
        from jobs.sources
        where id not in (select source_id from jobs.stats)",
    ),
    (
        "the listed postings",
        "select coalesce(d.posting_id, l.posting_id)::text
        from (
            select f.filters, p.posted_at, p.id as posting_id
            from jobs.postings p
            cross join lateral jobs.filter_sets(p.facets) as f (filters)
            where p.closed_at is null
        ) as d
        full join jobs.listings l using (filters, posted_at, posting_id)
        where d is null or l is null",
    ),
    (
        "an application before its posting or its member, or whose history ends elsewhere",
        "select a.id::text
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        left join auth.accounts m on m.id = a.member_id
        where m.id is null or a.applied_at < p.posted_at or a.applied_at < m.created_at
            or a.status is distinct from (
                select h.status from jobs.application_history h where h.application_id = a.id order by h.at desc limit 1
            )",
    ),
    (
        "a text without the common word",
        "select id::text from jobs.postings where searched not like '%counsel%'
        union all
        select id::text from feed.posts where content not like '%counsel%'
        union all
        select id::text from news.articles where searched not like '%counsel%'",
    ),
    (
        "an article whose cluster has an earlier one",
        "select a.id::text
        from news.articles a
        join news.articles first on first.id = a.story_id
        where not first.leads or first.listed_at > a.listed_at
            or (first.id <> a.id and first.source_id = a.source_id)",
    ),
    (
        "a source with more articles than are kept",
        "select source_id from news.articles group by source_id having count(*) > 20000",
    ),
];

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_700)
}

pub fn world(size: &str) -> World {
    World::new(size.parse().unwrap(), now())
}

pub async fn filled(name: &str, world: &World) -> Database {
    let mut database = Database::fresh(name).await;
    fill(&mut database.db, world, &|_| {}).await.unwrap();
    database
}

#[tokio::test]
async fn stored_counters_equal_the_rows() {
    let mut database = filled("counts", &world("50")).await;
    for (what, sql) in WRONG {
        assert_eq!(database.rows(sql).await, Vec::<String>::new(), "{what}");
    }
    // The invariants that the services define for their own schemas.
    for service in ["social-graph", "messaging"] {
        let truth = format!("{}/../../services/{service}/tests/it/truth.sql", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(database.rows(&fs::read_to_string(truth).unwrap()).await, Vec::<String>::new(), "{service}");
    }
    database.drop().await;
}

#[tokio::test]
async fn a_wrong_counter_is_noticed() {
    let mut database = filled("noticed", &world("20")).await;
    let damage = "
        update feed.posts set like_count = like_count + 1, freshness = freshness + 1, school_key = 'x';
        update profile.members set connection_count = 999;
        update profile.view_counts set n = 999;
        update social_graph.totals set communities = 999;
        update social_graph.memberships set role = 'member';
        update profile.skills set endorsement_count = 999;
        delete from feed.memberships;
        delete from profile.connections;
        delete from feed.communities;
        delete from feed.connections;
        delete from feed.blocks;
        update jobs.stats set total = total + 1;
        delete from jobs.listings;
        update jobs.applications set status = 'offered';
        update jobs.postings set description = '', title = 'x';
        update feed.posts set content = 'x';
        update news.articles set published_at = published_at + interval '100 days' where leads;
        delete from messaging.conversations;
        delete from messaging.memberships;
        update auth.accounts set created_at = '2030-01-01'";
    run(&mut database.db, damage).await;
    // Violations that other tests cover.
    let covered = ["an endorsement by a member without a connection", "a source with more articles than are kept"];
    for (what, sql) in WRONG.iter().filter(|(what, _)| !covered.contains(what)) {
        assert!(!database.rows(sql).await.is_empty(), "{what} was not noticed");
    }
    database.drop().await;
}

#[tokio::test]
async fn every_reference_is_valid() {
    let mut database = filled("references", &world("50")).await;
    // The references were not checked while filling; a new constraint checks every row.
    let constraints = database
        .rows(
            "select format('alter table %s drop constraint %I; alter table %s add constraint %I %s',
                conrelid::regclass, conname, conrelid::regclass, conname, pg_get_constraintdef(oid))
            from pg_constraint
            where contype = 'f'",
        )
        .await;
    assert!(constraints.len() > 15, "{constraints:?}");
    for statement in constraints {
        run(&mut database.db, &statement).await;
    }
    database.drop().await;
}

#[tokio::test]
async fn no_table_is_forgotten() {
    let mut database = filled("tables", &world("50")).await;
    let mut empty = Vec::new();
    for table in database.tables().await {
        if database.rows(&format!("select 'x' from {table} limit 1")).await.is_empty() {
            empty.push(table);
        }
    }
    assert_eq!(empty, EMPTY);
    database.drop().await;
}

#[tokio::test]
async fn every_fact_is_consumed() {
    let mut database = filled("heard", &world("20")).await;
    for service in access::services() {
        let schema = service.replace('-', "_");
        let sql = format!("select source from {schema}.cursors where seq = 0 order by source collate \"C\"");
        let mut sources: Vec<_> = access::sources_of(service).collect();
        sources.sort_unstable();
        assert_eq!(database.rows(&sql).await, sources);
    }
    database.drop().await;
}

#[tokio::test]
async fn one_seed_is_one_content() {
    let (mut one, mut other) = (filled("one", &world("40")).await, filled("other", &world("40")).await);
    // The history of facts is a random id, and the audit has random salts.
    let of_content = |table: &String| !table.contains(".outbox_") && !table.starts_with("auth.audit");
    for table in one.tables().await.into_iter().filter(of_content) {
        let content = format!("select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from {table} t");
        assert_eq!(one.rows(&content).await, other.rows(&content).await, "{table}");
    }
    let audit = "select concat_ws(' ', seq, id, member_id, event, at) from auth.audit order by seq";
    assert_eq!(one.rows(audit).await, other.rows(audit).await);
    one.drop().await;
    other.drop().await;
}

#[tokio::test]
async fn a_database_with_members_is_refused() {
    let mut database = filled("refused", &world("20")).await;
    let error = fill(&mut database.db, &world("20"), &|_| {}).await.unwrap_err();
    assert!(error.to_string().contains("has members already"), "{error:#}");
    database.drop().await;
}

#[tokio::test]
async fn the_note_names_existing_members() {
    let world = world("200");
    let mut database = filled("note", &world).await;
    let note = seed::note(&world);
    assert_eq!((note.typical.len(), note.password.as_str()), (4, PASSWORD));
    for (username, degree) in [&note.typical[0], &note.known, &note.hub].into_iter().zip(note.degrees) {
        let sql = format!("select connection_count::text from profile.members where username = '{username}'");
        assert_eq!(database.rows(&sql).await, [degree.to_string()]);
    }
    database.drop().await;
}
