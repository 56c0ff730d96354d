//! Applies actions and reversals that arrived together. An action that is reversed among them causes no notification.

use std::collections::HashMap;

use outbox::{Reversible, UnitOfWork};
use uuid::Uuid;

use super::{NotificationTrigger, notify_each, withdraw_each};
use crate::error::Error;

/// An action with its recipient, or its reversal.
pub type ReversibleTrigger<'a> = Reversible<(NotificationTrigger<'a>, Uuid), NotificationTrigger<'a>>;

/// The net changes with the same result as all changes in order. Reversals come first.
#[derive(Debug, Default)]
struct Net<'a> {
    reversed: Vec<NotificationTrigger<'a>>,
    made: Vec<(NotificationTrigger<'a>, Uuid)>,
}

/// Applies actions and reversals of one kind, detail and cause in their order, with few statements: see
/// [`notify_each`] and [`withdraw_each`]. An action that is reversed among them leaves nothing, as if
/// the reversal came later.
pub async fn apply_reversible(work: &mut UnitOfWork<'_>, changes: Vec<ReversibleTrigger<'_>>) -> Result<(), Error> {
    let Net { reversed, made } = net(changes);
    withdraw_each(work, &reversed).await?;
    if !made.is_empty() {
        notify_each(work, made).await?;
    }
    Ok(())
}

/// Computes the net changes. Only changes with the same actor and subject depend on each other: an action counts unless
/// it is reversed later, and a repeated one counts once. A reversal always counts, because of earlier actions.
fn net(changes: Vec<ReversibleTrigger<'_>>) -> Net<'_> {
    let mut made_at: HashMap<(Uuid, Uuid), usize> = HashMap::new();
    for (place, change) in changes.iter().enumerate() {
        match change {
            Reversible::Made((trigger, _)) => _ = made_at.entry(pair(trigger)).or_insert(place),
            Reversible::Reversed(trigger) => _ = made_at.remove(&pair(trigger)),
        }
    }
    let mut net = Net::default();
    for (place, change) in changes.into_iter().enumerate() {
        match change {
            Reversible::Made(made) if made_at.get(&pair(&made.0)) == Some(&place) => net.made.push(made),
            Reversible::Made(_) => {}
            Reversible::Reversed(trigger) => net.reversed.push(trigger),
        }
    }
    net
}

fn pair(trigger: &NotificationTrigger<'_>) -> (Uuid, Uuid) {
    (trigger.subject, trigger.actor)
}

#[cfg(test)]
mod tests {
    use outbox::{Changes, Outbox};
    use primitives::ids::Ids;
    use sqlx::AssertSqlSafe;
    use testkit::{Database, clock, member};

    use super::*;
    use crate::{MIGRATOR, notifications::Kind};

    /// Parses `+12`, the like of member 1 to post 2 of member 9, or `-12`, its reversal.
    fn parse(change: &str) -> ReversibleTrigger<'static> {
        let digits: Vec<u128> = change.chars().skip(1).map(|digit| u128::from(digit.to_digit(10).unwrap())).collect();
        let trigger = NotificationTrigger::new(Kind::PostLiked, member(100 + digits[1]), member(digits[0]));
        if change.starts_with('+') { Reversible::Made((trigger, member(9))) } else { Reversible::Reversed(trigger) }
    }

    fn net_of(changes: &str) -> String {
        let net = net(changes.split(' ').map(parse).collect());
        let number = |id: Uuid| (0..200).find(|n| member(*n) == id).unwrap();
        let text = |trigger: &NotificationTrigger<'_>| number(trigger.actor) * 10 + number(trigger.subject) - 100;
        let reversed: Vec<_> = net.reversed.iter().map(text).collect();
        let made: Vec<_> = net.made.iter().map(|(made, _)| text(made)).collect();
        format!("-{reversed:?} +{made:?}")
    }

    #[test]
    fn an_action_that_is_reversed_later_does_not_count() {
        assert_eq!(net_of("+12 +22 -12 +13"), "-[12] +[22, 13]");
        assert_eq!(net_of("+12 +12"), "-[] +[12]");
        assert_eq!(net_of("+12 -12 +12 +12 -12"), "-[12, 12] +[]");
    }

    #[test]
    fn an_action_after_its_reversal_counts() {
        assert_eq!(net_of("-12 +12 +22"), "-[12] +[12, 22]");
        assert_eq!(net_of("+12 +22 -12 +12"), "-[12] +[22, 12]");
    }

    /// Describes the notifications of all members, with the order of their causes and without their ids and times.
    async fn describe(database: &Database) -> Vec<String> {
        let violations = include_str!("../../../tests/it/notifications/truth.sql");
        let described = "select format('%s %s of %s, %s', n.subject_id, n.member_ids, n.member_count, array(
                    select c.actor_id from messaging.notification_causes c where c.notification_id = n.id order by c.at
                ))
            from messaging.notifications n
            order by n.active_at";
        let mut rows: Vec<String> = sqlx::query_scalar(violations).fetch_all(database.pool()).await.unwrap();
        rows.extend(
            sqlx::query_scalar::<_, String>(AssertSqlSafe(described)).fetch_all(database.pool()).await.unwrap(),
        );
        let unread = "select notifications::text from messaging.unread_counts where notifications > 0";
        rows.extend(sqlx::query_scalar::<_, String>(unread).fetch_all(database.pool()).await.unwrap());
        rows
    }

    #[tokio::test]
    async fn changes_have_the_same_result_together_as_one_by_one() {
        let (together, alone) =
            (Database::fresh("messaging", &MIGRATOR).await, Database::fresh("messaging", &MIGRATOR).await);
        let clock = clock();
        let service = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
        let mut seed = 1_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..60 {
            let length = 1 + draw(20);
            let changes: Vec<String> = (0..length)
                .map(|_| format!("{}{}{}", if draw(5) < 3 { '+' } else { '-' }, 1 + draw(6), draw(3)))
                .collect();
            let mut tx = db::begin(together.pool()).await.unwrap();
            let all = changes.iter().map(|change| parse(change)).collect();
            apply_reversible(&mut service.work(&mut tx), all).await.unwrap();
            tx.commit().await.unwrap();
            for change in &changes {
                let mut tx = db::begin(alone.pool()).await.unwrap();
                apply_reversible(&mut service.work(&mut tx), vec![parse(change)]).await.unwrap();
                tx.commit().await.unwrap();
            }
            assert_eq!(describe(&together).await, describe(&alone).await, "{changes:?}");
        }
    }
}
