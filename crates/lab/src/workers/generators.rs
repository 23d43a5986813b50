//! Generators on several hosts of a testbed, which divide the clients: a thread here, and a process on each other host.

use super::{
    DividedLoad, ProgressHandler, Report, Worker, WorkerLink, WorkerLoad, WorkerSide, WorkerTask, shards,
    spawn,
};
use application::{Application, Dataset};
use engine::{EngineError, Load, Outcome, Shard, SiteAddress};
use serde::{Deserialize, Serialize};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{self, Sender},
    },
    thread,
};
use testbed::{HostUp, Preferred};
use workload::{Mix, Users};

/// A load on a site of the laboratory, with all that a generator elsewhere must know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SiteLoad {
    pub application: String,
    pub mix: Mix,
    pub dataset: Dataset,
    pub site: SiteAddress,
    pub load: Load,
}

impl SiteLoad {
    /// Drives a shard of the load, as a worker. The application is the named one.
    ///
    /// # Errors
    /// Nothing answers there.
    pub fn drive(
        &self,
        application: &dyn Application,
        shard: Shard,
        worker: &mut Worker,
    ) -> Result<Outcome, EngineError> {
        let Self { mix, dataset, site, load, .. } = self;
        let target = site.target().map_err(|fault| EngineError::Worker { fault: fault.to_string() })?;
        let load = Load { shard: Some(shard), ..load.clone() };
        let account = |number| application.account(number);
        let habits = application.habits(dataset);
        let users = Users {
            catalogue: &application.catalogue().over(site.protocol),
            mix,
            accounts: application.accounts(dataset),
            account: &account,
            habits: habits.as_ref(),
        };
        let _preferred = Preferred::this_thread();
        let mut on_progress = |progress| worker.on_progress(progress);
        engine::drive_until(&target, &users, &load, &AtomicBool::new(false), &mut on_progress)
    }
}

/// Drives a load with a generator on each of these hosts, the first of which is this machine. Setting `stop` ends it.
pub(crate) fn drive_on_hosts(
    hosts: &[&HostUp],
    users: &Users<'_>,
    site_load: &SiteLoad,
    stop: &AtomicBool,
    on_progress: ProgressHandler<'_>,
) -> Result<Outcome, EngineError> {
    let target = site_load.site.target().map_err(|fault| EngineError::Worker { fault: fault.to_string() })?;
    let of = shards(&site_load.load, hosts.len());
    let (sender, reports) = mpsc::channel();
    thread::scope(|scope| {
        let (orders, received) = mpsc::channel();
        let halt = Arc::new(AtomicBool::new(false));
        let here = WorkerLink {
            host: hosts[0].handle.clone(),
            host_name: Some(hosts[0].name.clone()),
            side: WorkerSide::Thread { orders, halt: Arc::clone(&halt) },
        };
        let load = Load { shard: Some(Shard { index: 0, of }), ..site_load.load.clone() };
        let worker = Worker::new(received, tell_by(sender.clone()));
        let target = &target;
        let driving = move || {
            let _preferred = Preferred::this_thread();
            worker.work(|worker| {
                let mut on_progress = |progress| worker.on_progress(progress);
                let outcome = engine::drive_until(target, users, &load, &halt, &mut on_progress);
                outcome.map_err(|fault| fault.to_string())
            })
        };
        spawn(scope, driving)?;
        let mut workers = vec![here];
        for (host, index) in hosts.iter().zip(0..of).skip(1) {
            let what = WorkerLoad::Site(Box::new(site_load.clone()));
            let task = WorkerTask { what, shard: Shard { index, of } };
            let place = (&host.handle, Some(host.name.as_str()));
            // The executable of another machine is the one that was copied there.
            workers.push(WorkerLink::start(place, Path::new(""), &task, sender.clone())?);
        }
        DividedLoad::new(workers, &site_load.load).run(&reports, stop, on_progress)
    })
}

/// Tells reports of the worker on this machine.
fn tell_by(sender: Sender<(usize, Report)>) -> impl FnMut(Report) + Send {
    move |report| {
        // The command may have given up.
        let _ = sender.send((0, report));
    }
}
