//! Machines that a scheduler gives: nodes of Slurm and Pods of Kubernetes. A script stands for the scheduler's command: it
//! refuses any words but those that are promised, and runs the rest here.

use crate::sandbox::{Ended, Sandbox, real_workspace};
use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

/// Runs a shell as another machine would: with folders of its own, and without the laboratory's variables.
const HERE: &str =
    "exec env -i HOME=\"$HOME\" PATH=\"$PATH\" TMPDIR=\"$THERE\" XDG_CACHE_HOME=\"$THERE\" sh\n";

fn write_program(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Scripts in place of a scheduler's commands.
struct Scheduler<'s> {
    sandbox: &'s Sandbox,
}

impl<'s> Scheduler<'s> {
    fn new(sandbox: &'s Sandbox, programs: &[(&str, &str)]) -> Self {
        for folder in ["bin", "there"] {
            fs::create_dir(sandbox.path().join(folder)).unwrap();
        }
        programs.iter().for_each(|(name, text)| write_program(&sandbox.path().join("bin"), name, text));
        Self { sandbox }
    }

    fn call(&self, words: &[&str], variables: &[(&str, &str)]) -> Ended {
        let mut command = self.sandbox.command(words);
        let path = std::env::var("PATH").unwrap();
        command
            .env("PATH", format!("{}:{path}", self.sandbox.path().join("bin").display()))
            .env("THERE", self.sandbox.path().join("there"))
            .env_remove("SLURM_JOB_ID")
            .envs(variables.iter().copied());
        self.sandbox.finish(command)
    }
}

fn testbed(name: &str) -> String {
    real_workspace().join("testbeds").join(name).display().to_string()
}

const ALLOCATION: [(&str, &str); 4] = [
    ("SLURM_JOB_ID", "7"),
    ("SLURM_JOB_NODELIST", "n[1-3]"),
    ("SLURMD_NODENAME", "n1"),
    ("SLURM_NTASKS", "9"),
];

#[test]
fn nodes_of_an_allocation_are_reached_by_steps_of_its_job() {
    let sandbox = Sandbox::new();
    let srun = format!(
        "case \"$*\" in\n\
         '--jobid=7 --nodelist=n2 '* | '--jobid=7 --nodelist=n3 '*) ;;\n\
         *) echo \"srun: another node: $*\" >&2; exit 9 ;;\nesac\nshift 2\n\
         [ \"$*\" = '--nodes=1 --ntasks=1 --overlap --unbuffered --mem=0 --cpu-bind=none --export=HOME,PATH sh' ] ||\n\
         {{ echo \"srun: other words: $*\" >&2; exit 9; }}\n\
         [ -z \"$SLURM_NTASKS$SLURM_JOB_ID\" ] || {{ echo 'srun: defaults of the job' >&2; exit 9; }}\n{HERE}"
    );
    let scontrol = "case \"$*\" in\n\
         'show job 7 --oneliner') echo \"JobId=7 OverSubscribe=${SHARED:-NO} Contiguous=0\" ;;\n\
         'show hostnames n[1-3]') printf 'n1\\nn2\\nn3\\n' ;;\n\
         'show hostnames n[1-2]') printf 'n1\\nn2\\n' ;;\n\
         *) echo \"scontrol: other words: $*\" >&2; exit 9 ;;\nesac\n";
    let slurm = Scheduler::new(&sandbox, &[("srun", &srun), ("scontrol", scontrol)]);
    let file = testbed("slurm.toml");
    let up = ["testbed", "up", &file];
    let ended = slurm.call(&up, &ALLOCATION);
    ended.expect(0, &[]);
    assert_eq!(ended.output.matches("round trip").count(), 2, "{}", ended.output);
    slurm.call(&up, &[]).expect(2, &["no allocation of nodes", "testbed script"]);
    let with = |name, value| [ALLOCATION.as_slice(), &[(name, value)]].concat();
    slurm.call(&up, &with("SHARED", "OK")).expect(2, &["other jobs may share", "--exclusive"]);
    let two = with("SLURM_JOB_NODELIST", "n[1-2]");
    slurm.call(&up, &two).expect(2, &["has 1 nodes beside this one", "--nodes=3"]);
}

#[test]
fn pods_are_reached_by_kubectl_and_asked_for_their_addresses() {
    let sandbox = Sandbox::new();
    let kubectl = format!(
        "case \"$*\" in\n\
         'exec -i tierbench-web -- sh' | 'exec -i tierbench-db -- sh') ;;\n\
         *) echo \"kubectl: other words: $*\" >&2; exit 9 ;;\nesac\n{HERE}"
    );
    let kubernetes = Scheduler::new(&sandbox, &[("kubectl", &kubectl)]);
    let ended = kubernetes.call(&["testbed", "up", &testbed("kubernetes.toml")], &[]);
    ended.expect(0, &[]);
    assert_eq!(ended.output.matches("round trip").count(), 2, "{}", ended.output);
    // Inputs of the schedulers are printed.
    let words = ["testbed", "manifests", &testbed("kubernetes.toml"), "--image", "place/image:1"];
    let ended = kubernetes.call(&words, &[]);
    ended.expect(0, &[]);
    assert_eq!(ended.output.matches("\nkind: Pod\n").count(), 2, "{}", ended.output);
    let ended = kubernetes.call(&["testbed", "script", &testbed("slurm.toml")], &[]);
    ended.expect(0, &[]);
    assert!(ended.output.contains("\n#SBATCH --exclusive\n"), "{}", ended.output);
    let none = kubernetes.call(&["testbed", "script", &testbed("two-machines.toml")], &[]);
    none.expect(2, &["no host is a node of Slurm", "reach = \"srun\""]);
}

#[test]
fn doctor_names_the_packages_that_each_machine_lacks() {
    let sandbox = Sandbox::new();
    // Nothing but the first package is installed there.
    let query = "shift 3\nprintf '%s installed\\n' \"$1\"\n";
    let reach = format!("PATH=\"$THERE/bin:$PATH\"; export PATH\n{HERE}");
    let machines = Scheduler::new(&sandbox, &[("reach", &reach)]);
    fs::create_dir(sandbox.path().join("there/bin")).unwrap();
    write_program(&sandbox.path().join("there/bin"), "dpkg-query", query);
    let file = sandbox.path().join("bed.toml");
    fs::write(
        &file,
        "title = 'Two'\nseparation = 'machines'\nfallback = 'web'\n[host.client]\n[host.gone]\nroles = ['ejb']\n\
         reach = 'false'\n[host.db]\nreach = 'reach'\n[host.web]\nreach = 'reach'\n",
    )
    .unwrap();
    let ended = machines.call(&["doctor", "--testbed", &file.display().to_string()], &[]);
    ended.expect(5, &["3 things are missing"]);
    let line = |name: &str| {
        ended.output.lines().find(|line| line.contains(&format!(" {name} "))).unwrap_or_default()
    };
    assert!(line("client").starts_with("ok"), "{}", ended.output);
    assert!(
        line("gone").starts_with("missing") && line("gone").contains("the host `gone`"),
        "{}",
        ended.output
    );
    for (name, package, other) in [("db", "mariadb-server", "apache2"), ("web", "apache2", "mariadb-server")]
    {
        let line = line(name);
        assert!(line.starts_with("missing") && line.contains("apt-get install"), "{}", ended.output);
        let names: Vec<&str> = line.split_whitespace().collect();
        let has = |package: &str| names.iter().any(|name| name.starts_with(package));
        assert!(has(package) && !has(other), "{line}");
    }
    let shares = machines.call(&["doctor", "--testbed", &testbed("one-machine.toml")], &[]);
    shares.expect(2, &["are shares of this machine", "tierbench doctor"]);
}
