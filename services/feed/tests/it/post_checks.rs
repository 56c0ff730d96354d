//! The constraints of posts, for rows that no request of the service writes.

use feed::MIGRATOR;
use sqlx::AssertSqlSafe;
use testkit::Database;

const PICTURE: &str = "picture_hash = 'h', picture_alt = '', picture_width = 1, picture_height = 1";
const ARTICLE: &str = "title = 'T', excerpt = ''";
const REPOST: &str = "repost_of = id";

/// Changes of a text post, and the constraint that refuses the row.
fn refused() -> Vec<(String, &'static str)> {
    let content = "posts_content_check";
    let attachments = "posts_attachments_check";
    let counts = "posts_counts_check";
    let of_posts = [
        // Together enough for the logarithm in the rank.
        ("like_count = -1, comment_count = 1", counts),
        ("comment_count = -1, like_count = 2", counts),
        ("share_count = -1", counts),
        ("content = ''", content),
        ("content = repeat('a', 5781)", content),
        ("content = repeat('ñ', 5781)", content),
        ("title = 'T'", attachments),
        ("excerpt = ''", attachments),
        ("title = '', excerpt = ''", attachments),
        ("title = repeat('a', 201), excerpt = ''", attachments),
        ("title = 'T', excerpt = repeat('a', 601)", attachments),
        ("title = 'T', excerpt = '', content = repeat('ñ', 40781)", content),
        ("picture_hash = 'h'", attachments),
        ("picture_alt = ''", attachments),
        ("picture_width = 1, picture_height = 1", attachments),
        ("picture_hash = 'h', picture_alt = repeat('a', 1001), picture_width = 1, picture_height = 1", attachments),
        ("video_url = ''", attachments),
        ("video_url = repeat('a', 2049)", attachments),
        ("media = '{}', video_url = 'v'", attachments),
        ("media = '{\"pictures\": []}'", attachments),
        ("link_preview_id = id, without_link_preview = true", attachments),
        ("link_preview_id = id, media = '{}'", attachments),
        ("link_preview_id = id, video_url = 'v'", attachments),
    ];
    let combined = [
        format!("{PICTURE}, video_url = 'v'"),
        format!("{PICTURE}, {ARTICLE}"),
        format!("{PICTURE}, {REPOST}"),
        format!("{PICTURE}, link_preview_id = id"),
        format!("{PICTURE}, media = '{{\"pictures\": [1, 2, 3, 4]}}'"),
        format!("{PICTURE}, media = '{{\"pdf\": {{}}}}'"),
        format!("{REPOST}, {ARTICLE}"),
        format!("{REPOST}, video_url = 'v'"),
        format!("{REPOST}, media = '{{}}'"),
        format!("{REPOST}, link_preview_id = id"),
        format!("{ARTICLE}, media = '{{}}'"),
        format!("{ARTICLE}, link_preview_id = id"),
    ];
    let of_posts = of_posts.into_iter().map(|(change, constraint)| (change.to_owned(), constraint));
    of_posts.chain(combined.into_iter().map(|change| (change, attachments))).collect()
}

fn allowed() -> Vec<String> {
    vec![
        "content = repeat('a', 5780)".to_owned(),
        "content = repeat('ñ', 5780)".to_owned(),
        format!("content = '', {REPOST}"),
        format!("{ARTICLE}, content = repeat('ñ', 40780)"),
        "title = repeat('ñ', 200), excerpt = repeat('ñ', 600)".to_owned(),
        format!("{ARTICLE}, video_url = 'v'"),
        PICTURE.to_owned(),
        format!("{PICTURE}, media = '{{\"pictures\": [1, 2, 3]}}'"),
        "media = '{\"pdf\": {}}'".to_owned(),
        "video_url = repeat('a', 2048)".to_owned(),
        REPOST.to_owned(),
        "without_link_preview = true".to_owned(),
    ]
}

#[tokio::test]
async fn rows_of_posts_are_checked() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let insert = "insert into feed.posts (id, author_id, content, created_at, freshness)
        values (gen_random_uuid(), gen_random_uuid(), 'Moot court', to_timestamp(0), 0)";
    sqlx::raw_sql(insert).execute(database.pool()).await.unwrap();
    let change = async |change: &str| {
        let mut tx = db::begin(database.pool()).await.unwrap();
        let update = AssertSqlSafe(format!("update feed.posts set {change}"));
        sqlx::raw_sql(update).execute(&mut *tx).await
    };
    for (changed, constraint) in refused() {
        let error = change(&changed).await.unwrap_err();
        let by = error.as_database_error().and_then(|error| error.constraint());
        assert_eq!(by, Some(constraint), "{changed}: {error}");
    }
    for changed in allowed() {
        change(&changed).await.unwrap_or_else(|error| panic!("{changed}: {error}"));
    }
    let unvalidated =
        "select count(*) from pg_constraint where connamespace = 'feed'::regnamespace and not convalidated";
    assert_eq!(sqlx::query_scalar::<_, i64>(unvalidated).fetch_one(database.pool()).await.unwrap(), 0);
}
