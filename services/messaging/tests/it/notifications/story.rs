//! Five thousand facts of a random story, heard by a messaging that is killed and started again all the while: what members
//! are told is what a model says, with nothing lost and nothing twice.

mod chance;
mod deeds;
mod model;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{Readiness, Tasks, Upstreams},
};
use portia_proto::messaging::{
    ListNotificationsRequest, MarkNotificationsReadRequest, NotificationKind, NotificationSwitch,
    SetNotificationSwitchesRequest, mark_notifications_read_request::Which,
    messaging_service_client::MessagingServiceClient,
};
use rpc::{Call, Transport};
use testkit::{FactSource, Harness, member};
use tokio::runtime::{Builder, Runtime};

use crate::inbox::settled;
use chance::SOURCES;
use deeds::{Deed, Lots};
use model::Model;

const FACTS: usize = 5_000;
/// Facts a source tells before the others have their say: what one tells and another depends on is heard in between.
const LONGEST_CHUNK: usize = 80;

/// A messaging that can be killed: all it runs is in a runtime of its own.
struct Life {
    /// Absent only while it dies.
    runtime: Option<Runtime>,
    context: Arc<ServiceContext>,
}

impl Drop for Life {
    /// Whatever runs stops at its next wait, wherever that is.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct World {
    harness: Harness,
    sources: BTreeMap<&'static str, FactSource>,
    /// How much each has told.
    told: BTreeMap<&'static str, i64>,
    lives: Vec<Life>,
    kills: u32,
}

impl World {
    async fn new() -> Self {
        let harness = Harness::of("messaging").database(&messaging::MIGRATOR).await.context();
        let sources = SOURCES.map(|name| (name, FactSource::default())).into();
        Self { harness, sources, told: BTreeMap::new(), lives: Vec::new(), kills: 0 }
    }

    /// Starts a messaging beside those that live.
    async fn live(&mut self) {
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
            readiness: Readiness::default(),
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
        self.lives.push(Life { runtime: Some(runtime), context });
    }

    /// Kills one of them wherever it stands.
    fn kill(&mut self, which: usize) {
        drop(self.lives.swap_remove(which));
        self.kills += 1;
    }

    /// Tells a chunk, and has messaging die and live meanwhile until it has heard all of it.
    async fn tell(&mut self, source: &'static str, deeds: &[Deed], lots: &mut Lots) {
        for deed in deeds {
            *self.told.entry(source).or_default() = deed.tell(&self.sources[source]);
        }
        for _ in 0..lots.draw(3) {
            if self.lives.len() < 2 && (self.lives.is_empty() || lots.draw(4) == 0) {
                self.live().await;
            }
            // Not a wait for anything: death comes at any moment.
            tokio::time::sleep(Duration::from_millis(lots.draw(60) as u64)).await;
            if !self.lives.is_empty() {
                self.kill(lots.draw(self.lives.len()));
            }
        }
        if self.lives.is_empty() {
            self.live().await;
        }
        self.harness.heard(source, self.told[source]).await;
        // What others did while some of it was still to go would be told in between, or not.
        if source == "auth" {
            settled(&self.harness).await;
        }
    }

    /// A call of a member's, answered by one that lives.
    async fn call<T, F>(&self, who: u128, call: impl FnOnce(MessagingServiceClient<Transport>, Call) -> F) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let life = self.lives.last().unwrap();
        let client = MessagingServiceClient::new(life.context.upstreams.transport("messaging").unwrap());
        let runtime = life.runtime.as_ref().unwrap();
        runtime.spawn(call(client, self.harness.actors.member(member(who)))).await.unwrap()
    }

    /// A member looks at the bell, and has seen one thing or everything up to one.
    async fn look(&self, model: &mut Model, lots: &mut Lots) {
        let who = lots.pick(&model.cast());
        let page = self.call(who, |mut client, call| async move {
            let request = ListNotificationsRequest { page_size: 100, page_token: String::new() };
            client.list_notifications(call.request(request).unwrap()).await.unwrap().into_inner().notifications
        });
        let page = page.await;
        if page.is_empty() {
            return;
        }
        let (place, one) = (lots.draw(page.len()), lots.draw(2) == 0);
        let seen = page[place].clone();
        let which = if one { Which::NotificationId(seen.id) } else { Which::UpTo(seen.active_at.unwrap()) };
        self.call(who, |mut client, call| async move {
            let request = MarkNotificationsReadRequest { which: Some(which) };
            client.mark_notifications_read(call.request(request).unwrap()).await.unwrap();
        })
        .await;
        model.look(who, place, one);
    }

    async fn turn(&self, model: &mut Model, lots: &mut Lots) {
        let (who, kind, on) = (lots.pick(&model.cast()), lots.draw(11) + 1, lots.draw(3) > 0);
        // Nobody causes that a posting is closed: no source of the story tells it.
        let kind = Some(kind).filter(|kind| *kind != NotificationKind::PostingClosed as usize);
        let kind = kind.unwrap_or(NotificationKind::PostReposted as usize);
        let kind = NotificationKind::try_from(i32::try_from(kind).unwrap()).unwrap();
        self.call(who, move |mut client, call| async move {
            let switches = vec![NotificationSwitch { kind: kind.into(), on }];
            let request = call.request(SetNotificationSwitchesRequest { switches }).unwrap();
            client.set_notification_switches(request).await.unwrap();
        })
        .await;
        model.turn(who, kind, on);
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
        let rung = "select format('%s %s', key, count(*))
            from messaging.outbox
            where kind = 'portia.messaging.v1.NotificationsChanged'
            group by key
            order by key";
        assert_eq!(self.lines(rung).await, model.rung());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_facts_are_heard_once_each_however_often_it_is_killed() {
    let (mut world, mut model, mut lots) = (World::new().await, Model::default(), Lots::new(5));
    world.live().await;
    let (mut facts, mut compared) = (0, 0);
    while facts < FACTS {
        let source = lots.pick(&SOURCES);
        let length = match source {
            "auth" => 1,
            _ => lots.draw(LONGEST_CHUNK) + 1,
        };
        let mut deeds = Vec::new();
        while deeds.len() < length {
            let Some(deed) = model.deed(source, &mut lots) else { break };
            // What was told once may be told again at once.
            let times = if lots.draw(20) == 0 { 2 } else { 1 };
            for _ in 0..times {
                model.apply(&deed);
                deeds.push(deed.clone());
            }
        }
        if deeds.is_empty() {
            continue;
        }
        facts += deeds.len();
        world.tell(source, &deeds, &mut lots).await;
        for _ in 0..lots.draw(3) {
            world.look(&mut model, &mut lots).await;
        }
        if lots.draw(4) == 0 {
            world.turn(&mut model, &mut lots).await;
        }
        if facts - compared > 500 {
            world.compare(&model).await;
            compared = facts;
        }
    }
    world.compare(&model).await;
    assert!(world.kills >= 50 && model.causes().len() > 100, "{} kills, {} causes", world.kills, model.causes().len());
}
