//! A random history of two thousand facts, applied by a service that is killed and restarted at random: the
//! notifications equal those of a model, without loss or repetition.
//!
//! One walk with a fixed seed instead of a property test: the time of a kill does not repeat, so a failure would not
//! shrink.

mod generator;
mod model;
mod rng;
mod triggers;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{Activity, Readiness, Standby, Tasks, Upstreams},
};
use portia_proto::messaging::{
    ListNotificationsRequest, MarkNotificationsReadRequest, NotificationKind, NotificationSwitch,
    SetNotificationSwitchesRequest, mark_notifications_read_request::Selection,
    messaging_service_client::MessagingServiceClient,
};
use rpc::{Call, Transport};
use testkit::{FactSource, Harness, member};
use tokio::runtime::{Builder, Runtime};

use crate::fixtures::wait_for_background_work;
use generator::SOURCES;
use model::Model;
use rng::Rng;
use triggers::Trigger;

const FACTS: usize = 2_000;
/// The most facts of one source in a row. All of them are applied before another source continues, because facts of
/// different sources depend on each other.
const MAX_BATCH: usize = 80;

/// An instance of the service that can be killed, in its own runtime.
struct Instance {
    /// None only during the drop.
    runtime: Option<Runtime>,
    context: Arc<ServiceContext>,
}

impl Drop for Instance {
    /// Stops every task at its next await.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Scenario {
    harness: Harness,
    sources: BTreeMap<&'static str, FactSource>,
    /// The last published position of each source.
    published: BTreeMap<&'static str, i64>,
    instances: Vec<Instance>,
    kills: u32,
}

impl Scenario {
    async fn new() -> Self {
        let harness = Harness::of("messaging").database(&messaging::MIGRATOR).await.context();
        let sources = SOURCES.map(|name| (name, FactSource::default())).into();
        Self { harness, sources, published: BTreeMap::new(), instances: Vec::new(), kills: 0 }
    }

    /// Starts another instance.
    async fn start_instance(&mut self) {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (context, upstreams) = (&self.harness.context, Upstreams::local());
        for (name, source) in &self.sources {
            upstreams.slot(name).fill(rpc::wrap(name, source.routes(), Arc::clone(&context.keyring)));
        }
        let context = Arc::new(ServiceContext {
            service: context.service,
            config: Source::default(),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            keyring: Arc::clone(&context.keyring),
            signer: Arc::clone(&context.signer),
            upstreams,
            tasks: Tasks::default(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: context.database.clone(),
            database_limits: context.database_limits.clone(),
        });
        let started = Arc::clone(&context);
        let handle = runtime.handle().clone();
        let start = tokio::task::spawn_blocking(move || {
            let routes = handle.block_on(messaging::start(Arc::clone(&started))).unwrap();
            started.upstreams.slot("messaging").fill(rpc::wrap("messaging", routes, Arc::clone(&started.keyring)));
        });
        start.await.unwrap();
        self.instances.push(Instance { runtime: Some(runtime), context });
    }

    /// Kills one instance at any point of its work.
    fn kill(&mut self, which: usize) {
        drop(self.instances.swap_remove(which));
        self.kills += 1;
    }

    /// Publishes a batch, kills and starts instances meanwhile, and waits until the batch is applied.
    async fn publish(&mut self, source: &'static str, triggers: &[Trigger], rng: &mut Rng) {
        for trigger in triggers {
            *self.published.entry(source).or_default() = trigger.publish(&self.sources[source]);
        }
        for _ in 0..rng.draw(3) {
            if self.instances.len() < 2 && (self.instances.is_empty() || rng.draw(4) == 0) {
                self.start_instance().await;
            }
            // A random time until the kill, not a wait for an event.
            tokio::time::sleep(Duration::from_millis(rng.draw(60) as u64)).await;
            if !self.instances.is_empty() {
                self.kill(rng.draw(self.instances.len()));
            }
        }
        if self.instances.is_empty() {
            self.start_instance().await;
        }
        self.harness.wait_until_applied(source, self.published[source]).await;
        // Without this wait, facts of other sources could be applied before or after the background work.
        if source == "auth" {
            wait_for_background_work(&self.harness).await;
        }
    }

    /// Calls a running instance as a member.
    async fn call<T, F>(&self, who: u128, call: impl FnOnce(MessagingServiceClient<Transport>, Call) -> F) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let instance = self.instances.last().unwrap();
        let client = MessagingServiceClient::new(instance.context.upstreams.transport("messaging").unwrap());
        let runtime = instance.runtime.as_ref().unwrap();
        runtime.spawn(call(client, self.harness.actors.member(member(who)))).await.unwrap()
    }

    /// Marks one notification of a member, or all up to one, as read.
    async fn mark_read(&self, model: &mut Model, rng: &mut Rng) {
        let who = rng.pick(&model.members());
        let page = self.call(who, |mut client, call| async move {
            let request = ListNotificationsRequest { page_size: 100, page_token: String::new() };
            client.list_notifications(call.request(request).unwrap()).await.unwrap().into_inner().notifications
        });
        let page = page.await;
        if page.is_empty() {
            return;
        }
        let (position, one) = (rng.draw(page.len()), rng.draw(2) == 0);
        let seen = page[position].clone();
        let selection = if one { Selection::NotificationId(seen.id) } else { Selection::UpTo(seen.active_at.unwrap()) };
        self.call(who, |mut client, call| async move {
            let request = MarkNotificationsReadRequest { selection: Some(selection) };
            client.mark_notifications_read(call.request(request).unwrap()).await.unwrap();
        })
        .await;
        model.mark_read(who, position, one);
    }

    async fn set_switch(&self, model: &mut Model, rng: &mut Rng) {
        // The history has no source of the kinds without an actor, closed postings and reminders: `postings` tests them.
        let kinds = (1..=NotificationKind::CommentLiked as i32).map(|kind| NotificationKind::try_from(kind).unwrap());
        let actorless = [NotificationKind::PostingClosed, NotificationKind::ApplicationDue];
        let kinds: Vec<_> = kinds.filter(|kind| !actorless.contains(kind)).collect();
        let (who, kind, on) = (rng.pick(&model.members()), rng.pick(&kinds), rng.draw(3) > 0);
        self.call(who, move |mut client, call| async move {
            let switches = vec![NotificationSwitch { kind: kind.into(), on }];
            let request = call.request(SetNotificationSwitchesRequest { switches }).unwrap();
            client.set_notification_switches(request).await.unwrap();
        })
        .await;
        model.set_switch(who, kind, on);
    }

    async fn lines(&self, sql: &str) -> Vec<String> {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(self.harness.pool()).await.unwrap()
    }

    async fn compare(&self, model: &Model) {
        assert_eq!(self.lines(include_str!("truth.sql")).await, Vec::<String>::new());
        let groups = "select format('%s %s %s %s: %s (%s)%s', member_id, kind, subject_id, detail,
            array_to_string(member_ids, ' '), member_count,
            case when read_at is null or read_at < active_at then ' !' else '' end)
            from messaging.notifications
            order by member_id, active_at desc";
        assert_eq!(self.lines(groups).await, model.groups());
        let causes =
            "select format('%s %s %s %s: %s %s', n.member_id, n.kind, n.subject_id, n.detail, c.actor_id, c.cause)
            from messaging.notification_causes c
            join messaging.notifications n on n.id = c.notification_id
            order by n.member_id, c.at desc";
        assert_eq!(self.lines(causes).await, model.causes());
        // Facts that are applied together publish one change to a member, instead of one each.
        let changes = "select key
            from messaging.outbox
            where kind = 'portia.messaging.v1.NotificationsChanged'
            order by key";
        let mut published = BTreeMap::<String, u64>::new();
        for member in self.lines(changes).await {
            *published.entry(member).or_default() += 1;
        }
        let expected = model.changes();
        assert!(published.keys().eq(expected.keys()), "{published:?}, in the model {expected:?}");
        for (member, changes) in &published {
            assert!(changes <= &expected[member], "{member}: {changes}, in the model {}", expected[member]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_facts_are_applied_exactly_once_across_kills_and_restarts() {
    let (mut scenario, mut model, mut rng) = (Scenario::new().await, Model::default(), Rng::new(5));
    scenario.start_instance().await;
    let (mut facts, mut compared) = (0, 0);
    while facts < FACTS {
        let source = rng.pick(&SOURCES);
        let length = match source {
            "auth" => 1,
            _ => rng.draw(MAX_BATCH) + 1,
        };
        let mut triggers = Vec::new();
        while triggers.len() < length {
            let Some(trigger) = model.trigger(source, &mut rng) else { break };
            // Sources may publish a fact twice.
            let times = if rng.draw(20) == 0 { 2 } else { 1 };
            for _ in 0..times {
                model.apply(&trigger);
                triggers.push(trigger.clone());
            }
        }
        if triggers.is_empty() {
            continue;
        }
        facts += triggers.len();
        scenario.publish(source, &triggers, &mut rng).await;
        for _ in 0..rng.draw(3) {
            scenario.mark_read(&mut model, &mut rng).await;
        }
        if rng.draw(4) == 0 {
            scenario.set_switch(&mut model, &mut rng).await;
        }
        if facts - compared > 500 {
            scenario.compare(&model).await;
            compared = facts;
        }
    }
    scenario.compare(&model).await;
    assert!(
        scenario.kills >= 20 && model.causes().len() > 100,
        "{} kills, {} causes",
        scenario.kills,
        model.causes().len()
    );
}
