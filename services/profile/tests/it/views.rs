//! Profile views: one per viewer and day.

use chrono::TimeDelta;
use profile::views::{CAPACITY, View, ViewBuffer};
use testkit::member;

use crate::Profile;

impl Profile {
    fn view(&self, viewer: u128, of: u128) -> View {
        let day = self.harness.clock.now().date_naive();
        View { member_id: member(of), viewer_id: member(viewer), day }
    }

    async fn views(&self, n: u128) -> i64 {
        self.view_profile(n, n).await.unwrap().stats.unwrap().profile_views
    }

    async fn write(&self, noted: &[View]) {
        let views = ViewBuffer::default();
        noted.iter().for_each(|view| views.record(*view));
        views.write(self.harness.pool()).await.unwrap();
    }
}

#[tokio::test]
async fn a_viewer_counts_once_a_day() {
    let profile = Profile::with_members(3).await;
    let looked = [profile.view(2, 1), profile.view(2, 1), profile.view(3, 1), profile.view(1, 1), profile.view(1, 2)];
    for _ in 0..2 {
        profile.write(&looked).await;
        assert_eq!([profile.views(1).await, profile.views(2).await, profile.views(3).await], [2, 1, 0]);
    }
    profile.harness.clock.advance(TimeDelta::days(1));
    profile.write(&[profile.view(2, 1)]).await;
    assert_eq!(profile.views(1).await, 3);
}

#[tokio::test]
async fn getting_a_profile_is_a_view_and_shutdown_writes_the_last_batch() {
    let profile = Profile::with_members(3).await;
    for (viewer, of) in [(2, 1), (2, 1), (3, 1), (1, 1)] {
        profile.view_profile(viewer, of).await.unwrap();
    }
    // A call without a member, and a view of an unknown member.
    profile.get(member(1)).await.unwrap();
    profile.view_profile(2, 9).await.unwrap_err();
    let options = profile.harness.context.database.clone().unwrap();
    profile.harness.stop().await;
    let pool = sqlx::PgPool::connect_with(options).await.unwrap();
    let counted: i64 =
        sqlx::query_scalar("select sum(n)::bigint from profile.view_counts").fetch_one(&pool).await.unwrap();
    assert_eq!(counted, 2);
}

#[tokio::test]
async fn only_the_member_gets_the_stats() {
    let profile = Profile::with_members(2).await;
    assert!(profile.view_profile(1, 1).await.unwrap().stats.is_some());
    assert!(profile.view_profile(2, 1).await.unwrap().stats.is_none());
}

#[tokio::test]
async fn views_of_unknown_members_are_left_out() {
    let profile = Profile::with_members(2).await;
    profile.write(&[profile.view(9, 1), profile.view(2, 8), profile.view(2, 1)]).await;
    assert_eq!(profile.views(1).await, 1);
}

#[tokio::test]
async fn old_days_are_pruned_and_the_counter_stays() {
    let profile = Profile::with_members(2).await;
    profile.write(&[profile.view(2, 1)]).await;
    let today = profile.harness.clock.now().date_naive();
    for (later, left) in [(90, 1), (91, 0)] {
        profile::views::prune(profile.harness.pool(), today + TimeDelta::days(later)).await.unwrap();
        assert_eq!(profile.count("select count(*) from profile.views").await, left);
    }
    assert_eq!(profile.views(1).await, 1);
}

#[tokio::test]
async fn the_buffer_is_bounded_and_survives_a_failed_write() {
    let profile = Profile::with_members(2).await;
    let views = ViewBuffer::default();
    views.record(profile.view(2, 1));
    for n in 0..CAPACITY as u128 {
        views.record(profile.view(1_000 + n, 1));
    }
    let closed = sqlx::PgPool::connect_lazy_with(profile.harness.context.database.clone().unwrap());
    closed.close().await;
    views.write(&closed).await.unwrap_err();
    views.write(profile.harness.pool()).await.unwrap();
    assert_eq!(profile.views(1).await, 1, "the one who exists");
}
