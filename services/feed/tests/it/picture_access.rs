//! Who may see a picture of a post: the viewers of the post, from its publication until its deletion.

use portia_proto::feed::{
    AppealOutcome, CheckPictureRequest, CreatePostRequest, DeletePostRequest, NewPicture, Post, ReportedKind,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::{
    fixtures::{Fixture, community, member},
    link_previews::Site,
    moderation::{OTHER_MODERATOR, appeal, decide_appeal, remove},
    pictures::small,
};

const VISITOR: u128 = 0;
const AUTHOR: u128 = 1;
const READER: u128 = 2;
const STRANGER: u128 = 3;

fn hash(address: &str) -> String {
    address.trim_start_matches("/media/signed/").trim_end_matches(".jpg").to_owned()
}

impl Fixture {
    async fn is_shown(&self, picture: &str, viewer: u128) -> Result<bool, StatusDetails> {
        let member_id = (viewer != VISITOR).then(|| member(viewer).to_string());
        let request = CheckPictureRequest { hash: hash(picture), member_id, moderator: false };
        Ok(self.check_picture(&self.as_visitor(), request).await?.visible)
    }

    /// Returns which of a visitor, the author, the reader and a stranger see a picture.
    async fn viewers(&self, picture: &str) -> Vec<u128> {
        let mut seen = Vec::new();
        for viewer in [VISITOR, AUTHOR, READER, STRANGER] {
            if self.is_shown(picture, viewer).await.unwrap() {
                seen.push(viewer);
            }
        }
        seen
    }

    async fn is_shown_to_moderators(&self, picture: &str) -> bool {
        let request = CheckPictureRequest { hash: hash(picture), member_id: None, moderator: true };
        self.check_picture(&self.as_visitor(), request).await.unwrap().visible
    }

    /// Creates a post of the author with two pictures.
    async fn illustrated(&self, community: Option<Uuid>) -> (Post, [String; 2]) {
        let mut pictures = Vec::new();
        for n in 0..2 {
            let uploaded = self.upload_picture(member(AUTHOR), &small(n), None).await.unwrap();
            pictures.push(NewPicture { picture_id: uploaded.picture_id, alt: String::new() });
        }
        let community_id = community.map(|id| id.to_string());
        let request = CreatePostRequest { content: "Look".to_owned(), pictures, community_id, ..Default::default() };
        let post = self.create_post(&self.as_member(member(AUTHOR)), request).await.unwrap().post.unwrap();
        let urls = [post.pictures[0].url.clone(), post.pictures[1].url.clone()];
        (post, urls)
    }

    async fn set_open(&self, who: u128, open: bool) {
        let mut conn = self.pool().acquire().await.unwrap();
        let (who, now) = (member(who).to_string(), self.harness.clock.now());
        if open {
            feed::deactivation::reactivate(&mut conn, &who).await.unwrap();
        } else {
            feed::deactivation::deactivate(&mut conn, &who, now).await.unwrap();
        }
    }
}

const EVERYONE: [u128; 4] = [VISITOR, AUTHOR, READER, STRANGER];

#[tokio::test]
async fn pictures_of_a_public_post_follow_its_account_and_its_deletion() {
    let fixture = Fixture::new().await;
    let (post, pictures) = fixture.illustrated(None).await;
    let (_, kept) = fixture.illustrated(None).await;
    for picture in &pictures {
        assert_eq!(fixture.viewers(picture).await, EVERYONE);
        fixture.set_open(AUTHOR, false).await;
        assert!(fixture.viewers(picture).await.is_empty(), "closed or suspended");
        fixture.set_open(AUTHOR, true).await;
        assert_eq!(fixture.viewers(picture).await, EVERYONE, "reopened");
    }
    let request = DeletePostRequest { post_id: post.id, reason: 0 };
    fixture.delete_post(&fixture.as_member(member(AUTHOR)), request).await.unwrap();
    for (picture, same_file) in pictures.iter().zip(&kept) {
        assert!(fixture.viewers(picture).await.is_empty() && !fixture.is_shown_to_moderators(picture).await);
        assert_eq!(fixture.viewers(same_file).await, EVERYONE, "the same file in another post");
    }
}

#[tokio::test]
async fn pictures_in_a_community_are_for_its_present_members() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(AUTHOR), member(READER)]).await;
    let (_, [picture, _]) = fixture.illustrated(Some(society)).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR, READER]);
    fixture.leave_community(society, member(READER)).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR]);
    fixture.join_community(society, &[member(READER), member(STRANGER)]).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR, READER, STRANGER]);
    fixture.block_member(member(STRANGER), member(AUTHOR)).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR, READER]);
    fixture.set_open(READER, false).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR], "addresses of a closed account");
    fixture.set_open(READER, true).await;
    assert_eq!(fixture.viewers(&picture).await, [AUTHOR, READER]);
}

#[tokio::test]
async fn pictures_of_a_removed_post_are_for_moderators_until_it_is_restored() {
    let fixture = Fixture::new().await;
    let (post, pictures) = fixture.illustrated(None).await;
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    for picture in &pictures {
        assert!(fixture.viewers(picture).await.is_empty());
        assert!(fixture.is_shown_to_moderators(picture).await);
    }
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    let restored = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!(restored.pictures, post.pictures);
    for picture in &pictures {
        assert_eq!(fixture.viewers(picture).await, EVERYONE);
    }
}

#[tokio::test]
async fn pictures_of_a_removed_post_are_deleted_after_the_time_for_an_appeal() {
    let fixture = Fixture::new().await;
    let (post, pictures) = fixture.illustrated(None).await;
    remove(&fixture, ReportedKind::Post, &post.id).await;
    fixture.advance_clock(31 * 86_400);
    feed::purge_removed_content(fixture.pool(), fixture.harness.clock.now()).await.unwrap();
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    for picture in &pictures {
        assert!(!fixture.is_shown_to_moderators(picture).await);
    }
    assert_eq!(fixture.count("select count(*) from feed.pictures where post_id is not null").await, 0);
}

#[tokio::test]
async fn an_upload_is_for_its_member_for_a_day() {
    let fixture = Fixture::new().await;
    let uploaded = fixture.upload_picture(member(AUTHOR), &small(1), None).await.unwrap().url;
    assert_eq!(fixture.viewers(&uploaded).await, [AUTHOR]);
    assert!(!fixture.is_shown_to_moderators(&uploaded).await);
    fixture.set_open(AUTHOR, false).await;
    assert!(fixture.viewers(&uploaded).await.is_empty());
    fixture.set_open(AUTHOR, true).await;
    fixture.advance_clock(86_401);
    assert!(fixture.viewers(&uploaded).await.is_empty());
}

#[tokio::test]
async fn the_picture_of_a_link_preview_follows_the_posts_that_use_it() {
    let site = Site::start().await;
    let fixture = &site.fixture;
    let url = site.server.url("/case");
    site.draft(member(AUTHOR), &url).await;
    site.settle().await;
    let draft = site.draft(member(AUTHOR), &url).await.preview.unwrap().image.unwrap().url;
    assert_eq!(fixture.viewers(&draft).await, [AUTHOR], "in the composer");
    let (one, other) = (site.publish(member(AUTHOR), &url).await, site.publish(member(READER), &url).await);
    site.settle().await;
    let picture = site.shown(&one.id).await.unwrap().image.unwrap().url;
    assert_eq!(fixture.viewers(&picture).await, EVERYONE);
    fixture.set_open(READER, false).await;
    site.delete(&one).await;
    assert!(fixture.viewers(&picture).await.is_empty(), "the remaining post is of a closed account");
    fixture.set_open(READER, true).await;
    assert_eq!(fixture.viewers(&picture).await, EVERYONE);
    site.delete(&other).await;
    assert!(fixture.viewers(&picture).await.is_empty());
}

#[tokio::test]
async fn an_invalid_picture_or_viewer_is_refused_and_an_unknown_picture_is_not_visible() {
    let fixture = Fixture::new().await;
    let gateway = fixture.as_visitor();
    let ask = |hash: &str, member_id: Option<&str>| CheckPictureRequest {
        hash: hash.to_owned(),
        member_id: member_id.map(str::to_owned),
        moderator: false,
    };
    let unknown = "ab".repeat(32);
    assert_eq!(fixture.viewers(&unknown).await, [0_u128; 0]);
    for bad in ["", "x", "\0", &"AB".repeat(32), &"a".repeat(1 << 20)] {
        let refused = fixture.check_picture(&gateway, ask(bad, None)).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "hash"), "{bad:.20?}");
    }
    // The author of removed posts is no member.
    for bad in ["", "x", "00000000-0000-0000-0000-000000000001"] {
        let refused = fixture.check_picture(&gateway, ask(&unknown, Some(bad))).await.unwrap_err();
        assert_eq!(refused.violations[0].field, "memberId", "{bad}");
    }
    let refused = fixture.check_picture(&fixture.as_member(member(1)), ask(&unknown, None)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Forbidden, "the gateway alone names a viewer");
}

/// Twenty thousand posts with a picture each, as many with a link of their own, and a thousand with one link.
const MANY: &str = "
    insert into feed.posts (id, author_id, content, created_at, freshness)
        select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            ('01930000-0000-7000-8000-' || lpad(to_hex(n % 1000 + 1), 12, '0'))::uuid, 'Look', now(), 0
        from generate_series(1, 41000) n;
    insert into feed.pictures (id, member_id, hash, width, height, post_id)
        select id, author_id, repeat(md5(id::text), 2), 4, 3, id
        from feed.posts order by id limit 20000;
    insert into feed.link_previews (id, audience, url, pictures, created_at)
        select ('01930000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, '00000000-0000-0000-0000-000000000000',
            'https://a.example/' || n, array[repeat(md5('link' || n), 2)], now()
        from generate_series(20001, 40001) n;
    update feed.posts p
        set link_preview_id = l.id
        from feed.link_previews l
        where right(l.id::text, 12) = lpad(to_hex(least(('x' || right(p.id::text, 12))::bit(48)::bigint, 40001)), 12, '0');";

#[tokio::test]
async fn a_question_about_a_picture_reads_few_buffers() {
    let fixture = Fixture::new().await;
    let database = fixture.harness.database();
    database.run(MANY).await;
    database.run_as_owner("analyze feed.posts, feed.pictures, feed.link_previews").await;
    database.vacuum(&["posts", "pictures", "link_previews"]).await;
    let hashes = "select hash from feed.pictures order by id limit 1";
    let of_post: String = sqlx::query_scalar(hashes).fetch_one(fixture.pool()).await.unwrap();
    let links = "select pictures[1] from feed.link_previews order by id";
    let of_links: Vec<String> = sqlx::query_scalar(links).fetch_all(fixture.pool()).await.unwrap();
    let shared = of_links.last().unwrap().clone();
    for (hash, buffers) in [(of_post, 40), (of_links[0].clone(), 40), (shared, 40), ("ab".repeat(32), 25)] {
        for viewer in ["null".to_owned(), format!("'{}'", member(READER))] {
            let arguments = format!("{viewer}, '{hash}', now()");
            let fragments = ["l.pictures @> array[$2]", "feed.hidden_members"];
            database.cost(env!("CARGO_MANIFEST_DIR"), &fragments, &arguments).await.at_most(buffers);
        }
    }
}
