//! Inputs of schedulers that give a testbed its machines: a batch script for Slurm, and Pods for Kubernetes.

use std::{fmt::Write as _, path::Path};
use testbed::{HostPlan, Testbed};

/// A batch script for Slurm, whose arguments are those of the command; none if no host is a node.
pub(super) fn script(testbed: &Testbed, executable: &Path) -> Option<String> {
    let nodes = testbed.nodes();
    (nodes > 0).then(|| {
        format!(
            "#!/bin/bash\n\
             # {title}\n\
             # sbatch --time=8:00:00 THIS-FILE run APPLICATION CONFIGURATION --clients 50\n\
             #SBATCH --job-name=tierbench\n\
             #SBATCH --nodes={all}\n\
             #SBATCH --exclusive\n\
             #SBATCH --time=2:00:00\n\
             # As Ctrl-C two minutes before the time is over, so that the result can be resumed.\n\
             #SBATCH --signal=B:INT@120\n\
             # A run that is resumed has its testbed.\n\
             case \" $* \" in *' --resume '*) ;; *) set -- \"$@\" --testbed {file} ;; esac\n\
             # With job control, the run does not ignore the interrupt that is passed on to it.\n\
             set -m\n\
             {executable} \"$@\" &\n\
             set +m\n\
             for signal in INT TERM; do trap \"kill -s $signal $!\" $signal; done\n\
             while wait $!; code=$?; kill -0 $! 2> /dev/null; do :; done\n\
             [ \"$code\" = 0 ] && exit\n\
             # Slurm kills all steps with this job. After a run that failed, its steps end first; then the nodes are reached once more\n\
             # to clear up.\n\
             steps() {{ squeue --noheader --steps --jobs \"$SLURM_JOB_ID\" --format %i | grep --invert-match 'batch\\|extern'; }}\n\
             for second in {{1..60}}; do [ \"$(steps)\" ] || break; sleep 1; done\n\
             {executable} testbed up {file} > /dev/null\n\
             exit \"$code\"\n",
            title = testbed.title,
            all = nodes + 1,
            executable = quoted(executable),
            file = quoted(&testbed.file),
        )
    })
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// A Pod for each host that `kubectl` reaches; none if there is no such host.
pub(super) fn manifests(testbed: &Testbed, image: &str) -> Option<String> {
    let pods = testbed.hosts.iter().filter_map(|host| Some(manifest(host, &Pod::of(&host.reach)?, image)));
    let pods: Vec<String> = pods.collect();
    (!pods.is_empty()).then(|| pods.join("---\n"))
}

struct Pod<'w> {
    name: &'w str,
    namespace: Option<&'w str>,
}

impl<'w> Pod<'w> {
    /// The Pod that `kubectl exec -i POD --` names, perhaps in a namespace; none of another command.
    fn of(reach: &'w [String]) -> Option<Self> {
        let (program, words) = reach.split_first()?;
        let is_kubectl = Path::new(program).file_name().is_some_and(|name| name == "kubectl");
        let (mut words, mut name, mut namespace) = (words.iter().filter(|_| is_kubectl), None, None);
        let mut has_exec = false;
        while let Some(word) = words.next() {
            match word.as_str() {
                "exec" => has_exec = true,
                "-n" | "--namespace" => namespace = words.next().map(String::as_str),
                "-c" | "--container" | "--context" | "--kubeconfig" => drop(words.next()),
                word if word.starts_with("--namespace=") => namespace = word.split_once('=').map(|of| of.1),
                word if !word.starts_with('-') && has_exec => name = name.or(Some(word)),
                _ => {}
            }
        }
        Some(Self { name: name?, namespace })
    }
}

/// A Pod that waits. Each has a node for itself, as a host has a machine.
fn manifest(host: &HostPlan, pod: &Pod<'_>, image: &str) -> String {
    let mut text = format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\n", pod.name);
    if let Some(namespace) = pod.namespace {
        let _ = writeln!(text, "  namespace: {namespace}");
    }
    let host = &host.name;
    text + &format!(
        "  labels:\n    app: tierbench\n    host: {host}\n\
         spec:\n  restartPolicy: Never\n  terminationGracePeriodSeconds: 1\n\
         \x20 affinity:\n    podAntiAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n\
         \x20     - topologyKey: kubernetes.io/hostname\n        labelSelector:\n          matchLabels:\n\
         \x20           app: tierbench\n\
         \x20 containers:\n  - name: {host}\n    image: {image}\n    command: [\"sleep\", \"infinity\"]\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Testbed {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbeds");
        Testbed::read(&home.join(name)).unwrap()
    }

    #[test]
    fn a_script_asks_for_a_node_of_each_host_and_one_of_its_own() {
        let text = script(&read("slurm.toml"), Path::new("/opt/it's/tierbench")).unwrap();
        for part in ["#!/bin/bash\n", "\n#SBATCH --nodes=3\n", "\n#SBATCH --exclusive\n"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(text.contains("\n'/opt/it'\\''s/tierbench' \"$@\" &\n"), "{text}");
        assert_eq!(script(&read("two-machines.toml"), Path::new("/tierbench")), None);
    }

    #[test]
    fn a_run_that_fails_in_a_job_is_cleaned_up_before_the_job_ends() {
        let folder = tempfile::tempdir().unwrap();
        let [executable, said] = ["tierbench", "said"].map(|name| folder.path().join(name));
        // The second word of the run is its exit code. One of its steps has not ended when it is first asked for.
        let programs = [
            ("tierbench", "echo \"$*\" >> \"$SAID\"\n[ \"$1\" = testbed ] || exit \"$2\"\n"),
            (
                "squeue",
                "echo steps >> \"$SAID\"\necho 7.batch\n[ $(grep -c steps \"$SAID\") -gt 1 ] || echo 7.0\n",
            ),
        ];
        for (name, text) in programs {
            let file = folder.path().join(name);
            fs_err::write(&file, format!("#!/bin/sh\n{text}")).unwrap();
            fs_err::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let testbed = read("slurm.toml");
        let text = script(&testbed, &executable).unwrap();
        let file = testbed.file.display();
        for (words, expected) in [
            ("run 0", format!("run 0 --testbed {file}\n")),
            ("run 4", format!("run 4 --testbed {file}\nsteps\nsteps\ntestbed up {file}\n")),
            ("run 7 --resume RESULT", format!("run 7 --resume RESULT\nsteps\nsteps\ntestbed up {file}\n")),
        ] {
            let mut bash = std::process::Command::new("bash");
            bash.args(["-c", &text, "job"]).args(words.split(' ')).env("SAID", &said).env("PATH", &path);
            let code = bash.status().unwrap().code();
            assert_eq!(code, words.split(' ').nth(1).unwrap().parse().ok(), "{words}");
            assert_eq!(fs_err::read_to_string(&said).unwrap(), expected);
            fs_err::remove_file(&said).unwrap();
        }
    }

    #[test]
    fn each_host_has_a_pod_on_a_node_of_its_own() {
        let text = manifests(&read("kubernetes.toml"), "place/image:1").unwrap();
        assert_eq!(text.matches("kind: Pod\n").count(), 2, "{text}");
        for part in
            ["  name: tierbench-db\n", "    image: place/image:1\n", "kubernetes.io/hostname", "\n---\n"]
        {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert_eq!(manifests(&read("two-machines.toml"), "x"), None);
        let words = |text: &str| text.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>();
        let with_namespace = words("kubectl -n lab exec -i -c app web-0 --");
        let pod = Pod::of(&with_namespace).unwrap();
        assert_eq!((pod.name, pod.namespace), ("web-0", Some("lab")));
        assert!(Pod::of(&words("ssh exec web1")).is_none());
    }
}
