//! A feed is a window of the newest: what has left it is not gone.

use chrono::{DateTime, TimeDelta};

use crate::{
    board::Board,
    site::{Page, Site},
};

/// An entry a day: number 1 of the first of February 2026, and so on.
fn feed(entries: &[u32]) -> Page {
    let first = DateTime::from_timestamp(1_769_904_000, 0).unwrap();
    let items: String = entries
        .iter()
        .rev()
        .map(|n| {
            let at = (first + TimeDelta::days(i64::from(*n))).to_rfc2822();
            format!(
                "<item><title>Attorney {n:02}</title><link>https://jobs.example.org/{n}</link><pubDate>{at}</pubDate></item>"
            )
        })
        .collect();
    Page::of(format!("<rss version=\"2.0\"><channel><title>Jobs</title>{items}</channel></rss>"))
}

async fn crawled(entries: &[u32]) -> (Site, Board) {
    let site = Site::open().await;
    site.put("/feed", feed(entries));
    let board = Board::crawling(&site, "rss:feed=Jobs").await;
    (site, board)
}

async fn refreshed(site: &Site, board: &Board, page: Page, times: u32) -> Vec<String> {
    site.put("/feed", page);
    for _ in 0..times {
        board.refresh().await;
    }
    board.assert_kept().await;
    board.open_titles().await
}

#[tokio::test]
async fn what_newer_entries_have_pushed_out_stays_and_what_is_gone_from_among_them_closes() {
    let (site, board) = crawled(&[1, 2, 3, 4]).await;
    let open = refreshed(&site, &board, feed(&[3, 4, 5, 6]), 4).await;
    assert_eq!(open, ["Attorney 01", "Attorney 02", "Attorney 03", "Attorney 04", "Attorney 05", "Attorney 06"]);
    assert_eq!(refreshed(&site, &board, feed(&[3, 5, 6]), 1).await, open, "once may be an accident");
    let left = ["Attorney 01", "Attorney 02", "Attorney 03", "Attorney 05", "Attorney 06"];
    assert_eq!(refreshed(&site, &board, feed(&[3, 5, 6]), 1).await, left);
}

#[tokio::test]
async fn what_has_left_it_goes_when_it_is_old_and_what_is_in_it_does_not() {
    let (site, board) = crawled(&[1, 2, 3]).await;
    site.put("/feed", feed(&[2, 3]));
    // The first of them is sixty days old, and so is, nearly, what is still told of.
    board.harness.clock.advance(TimeDelta::days(34));
    assert_eq!(refreshed(&site, &board, feed(&[2, 3]), 2).await, ["Attorney 02", "Attorney 03"]);
    board.harness.clock.advance(TimeDelta::days(100));
    assert_eq!(refreshed(&site, &board, feed(&[2, 3]), 2).await, ["Attorney 02", "Attorney 03"]);
    assert_eq!(refreshed(&site, &board, feed(&[3]), 2).await, ["Attorney 03"]);
}

#[tokio::test]
async fn one_that_is_empty_has_nothing_and_one_without_dates_does_not_say_how_far_it_reaches() {
    let (site, board) = crawled(&[1, 2]).await;
    let undated = "<rss version=\"2.0\"><channel><title>Jobs</title><item><title>Attorney 09</title>
        <link>https://jobs.example.org/9</link></item></channel></rss>";
    assert_eq!(refreshed(&site, &board, Page::of(undated), 3).await.len(), 3);
    assert_eq!(refreshed(&site, &board, feed(&[]), 1).await.len(), 3);
    assert_eq!(refreshed(&site, &board, feed(&[]), 1).await, Vec::<String>::new());
}
