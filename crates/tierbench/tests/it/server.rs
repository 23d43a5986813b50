//! Databases that the tests run by themselves, without a stack.

use crate::{odd::Odd, sandbox::real_workspace};
use application::{Application, Dataset, Timestamp};
use services::{
    Instance, ReadySettings, RunPaths, Service, ServiceError, TierSettings,
    fixture::Connection,
    store::{self, Access, LoadOrder},
};
use settings::Document;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};
use testbed::Scratch;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    InnoDb,
    MyIsam,
    Postgresql,
}

impl Store {
    pub(crate) const ALL: [Self; 3] = [Self::InnoDb, Self::MyIsam, Self::Postgresql];

    pub(crate) fn service(self) -> &'static str {
        match self {
            Self::InnoDb | Self::MyIsam => "mariadb",
            Self::Postgresql => "postgresql",
        }
    }

    /// The storage engine, where the service has several.
    pub(crate) fn engine(self) -> Option<&'static str> {
        match self {
            Self::InnoDb => Some("InnoDB"),
            Self::MyIsam => Some("MyISAM"),
            Self::Postgresql => None,
        }
    }

    /// The schema of an application in the workspace, or of [`Odd`].
    pub(crate) fn schema(self, application: &dyn Application) -> String {
        match application.name() {
            "odd" => Odd::schema(self.service()).to_owned(),
            name => {
                let file = format!("apps/{name}/schema/{}.sql", self.service());
                fs::read_to_string(real_workspace().join(file)).unwrap()
            }
        }
    }
}

/// The database that applications are loaded into.
pub(crate) const DATABASE: &str = "test";

/// A server that runs and has no data yet.
pub(crate) struct Server {
    pub(crate) store: Store,
    pub(crate) instance: Instance,
    pub(crate) access: Access,
    _scratch: Scratch,
}

impl Server {
    pub(crate) fn start(store: Store) -> Self {
        let service = Service::read(&real_workspace().join("services").join(store.service())).unwrap();
        let mut factors = service.factors.choose(&Document::new("", ""), &BTreeMap::new()).unwrap();
        factors.extend(store.engine().map(|engine| ("engine".to_owned(), engine.to_owned())));
        let scratch = Scratch::create(EXECUTABLE.as_ref()).unwrap();
        let settings = TierSettings {
            role: "db".into(),
            name: service.name.clone(),
            factors,
            stack_templates: Vec::new(),
            place: testbed::HostHandle::default(),
            fixed_port: None,
            ready: ReadySettings::default(),
            is_prepared: true,
            is_trained: false,
        };
        let run = RunPaths {
            executable: EXECUTABLE.into(),
            folder: scratch.path().into(),
            lock: scratch.lock(),
            site: scratch.path().into(),
            application: "test".into(),
            dataset: dataset(0.0),
            time_scale: 1.0,
            environment: BTreeMap::new(),
            tls: None,
            secure_paths: Vec::new(),
        };
        let mut instance = Instance::prepare(&service, &settings, &[], &run).unwrap();
        let access = Access::new(&instance, DATABASE).unwrap();
        instance.start().unwrap();
        let server = Self { store, instance, access, _scratch: scratch };
        UnixStream::connect(server.socket()).unwrap();
        server
    }

    /// Loads an application; returns how many rows that were.
    pub(crate) fn load(
        &mut self,
        application: &dyn Application,
        scale: f64,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(store::Loading),
    ) -> Result<u64, ServiceError> {
        let schema = self.store.schema(application);
        let order = LoadOrder { application, dataset: &dataset(scale), schema: &schema, stop };
        store::load(&mut self.instance, &self.access, order, progress)
    }

    /// The same by somebody who neither stops nor watches it.
    pub(crate) fn load_all(
        &mut self,
        application: &dyn Application,
        scale: f64,
    ) -> Result<u64, ServiceError> {
        self.load(application, scale, &AtomicBool::new(false), &mut |_| ())
    }

    pub(crate) fn laboratory(&self, database: &str) -> Connection {
        Connection::with_all_rights(&self.instance, database)
    }

    /// A connection with the stack's rights.
    pub(crate) fn stack(&self) -> Connection {
        store::create_app_user(&self.instance, &self.access).unwrap();
        Connection::of_stack(&self.access.environment())
    }

    /// The socket by which the laboratory enters.
    pub(crate) fn socket(&self) -> PathBuf {
        let port = self.instance.entry().unwrap().port();
        let name = match self.store.service() {
            "mariadb" => "sql.sock".to_owned(),
            _ => format!(".s.PGSQL.{port}"),
        };
        self.folder().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.instance.folder()
    }
}

/// The rows of always the same instant.
pub(crate) fn dataset(scale: f64) -> Dataset {
    Dataset::new(7, scale, Timestamp(1_795_000_000))
}
