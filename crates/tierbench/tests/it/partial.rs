//! Partial stacks: some of an application's interactions, verified and measured as far as they go.

use crate::sandbox::{QUICK, Sandbox};
use std::{fs, path::PathBuf};

const SMALL: [&str; 8] = ["--requests", "60", "--steps", "200", "--scale", "0.002", "--shrink-time", "3s"];

/// A mix of what the partial stack has.
const OWN_MIX: &str = "name = \"lists\"\ntitle = \"The form, then lists\"\nread_write = 0.0\n\
    [transitions.Form]\nListComments = 1.0\n[transitions.ListComments]\nListComments = 0.5\nForm = 0.5\n";

/// A program that has the files of the application and nothing else.
const FILES: &str = r#"
import functools, http.server, sys

class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def guess_type(self, path):
        return super().guess_type(path) + "; charset=utf-8"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_error(404)

    def log_message(self, *args):
        pass

address, port, folder = sys.argv[1:]
handler = functools.partial(Handler, directory=folder)
http.server.ThreadingHTTPServer((address, int(port)), handler).serve_forever()
"#;

/// A stack `mine` in a copy of the workspace, with this manifest behind its head.
fn stack(sandbox: &Sandbox, rest: &str) -> PathBuf {
    let home = sandbox.workspace().join("stacks/mine");
    fs::create_dir_all(home.join("mixes/comments")).unwrap();
    let head = "title = \"Mine\"\nlanguage = \"Python\"\napplications = [\"comments\"]\n";
    fs::write(home.join("stack.toml"), format!("{head}{rest}")).unwrap();
    home
}

/// The models as a stack that declares these interactions.
fn of_models(sandbox: &Sandbox, interactions: &str) -> PathBuf {
    let home = stack(
        sandbox,
        &format!(
            "[application.comments]\ninteractions = [{interactions}]\n[[configuration]]\nname = \"Mine\"\nsummary = \"x\"\n\
             statements = \"own\"\ntiers = [{{ role = \"web\", service = \"model\" }}]\n"
        ),
    );
    let service = "services/model/service.toml";
    fs::create_dir_all(home.join("services/model")).unwrap();
    fs::copy(sandbox.workspace().join("stacks/reference").join(service), home.join(service)).unwrap();
    home
}

/// Only here is a partial stack measured.
#[test]
fn a_partial_stack_is_verified_measured_with_a_mix_of_its_own_and_marked_everywhere() {
    let sandbox = Sandbox::new().with_own_workspace();
    let home = of_models(&sandbox, "\"Form\", \"ListComments\"");
    fs::write(home.join("mixes/comments/lists.toml"), OWN_MIX).unwrap();
    let check = sandbox.run(&["check", "comments"]);
    check.expect(0, &[]);
    for text in ["partial: 2 of 3 interactions", "mix lists of mine: The form, then lists"] {
        assert!(check.output.contains(text), "{text}: {}", check.output);
    }
    let mut command = sandbox.command(&["verify", "comments", "mine"]);
    command.args(SMALL);
    let verified = sandbox.finish(command);
    verified.expect(0, &[]);
    for text in ["2 of 3 interactions done, 1 left out", "StoreComment  left out", "ListComments  done"] {
        assert!(verified.output.contains(text), "{text}: {}", verified.output);
    }
    let run = |mix: &str| {
        let mut command = sandbox.command(&["run", "comments", "mine", "--clients", "3", "--window", "1s"]);
        command.args(&QUICK[..QUICK.len() - 1]).args(["--mix", mix]).arg("--out").arg(sandbox.result());
        sandbox.finish(command)
    };
    let refused = run("writing");
    refused.expect(2, &["visits StoreComment, which the stack `mine` does not have", "--mix NAME"]);
    let ran = run("lists");
    let marked = "Mine (2 of 3 interactions)";
    assert!(ran.output.contains(marked), "{} {}", ran.output, ran.error);
    let read = |file: &str| fs::read_to_string(sandbox.result().join(file)).unwrap();
    assert!(read("report.html").contains(marked));
    let mut csv = sandbox.command(&["report", "--csv"]);
    csv.arg(sandbox.result());
    assert!(sandbox.finish(csv).output.contains(",2 of 3 interactions,"));
    let partial = sandbox.manifest().configurations[0].partial.clone().unwrap();
    assert_eq!((partial.interactions.len(), partial.of), (2, 3));
}

/// Only here does a program have less than it declares.
#[test]
fn a_table_says_of_each_interaction_whether_it_is_done_differs_or_is_missing() {
    let sandbox = Sandbox::new().with_own_workspace();
    let configuration = "[[configuration]]\nname = \"Files\"\nsummary = \"x\"\nstatements = \"own\"\n\
        tiers = [{ role = \"app\", service = \"process\", templates = [\"start.sh\"] }]\n";
    let home = stack(&sandbox, &format!("deploy = [\"server.py\"]\n{configuration}"));
    fs::write(home.join("server.py"), FILES).unwrap();
    let start = "exec /usr/bin/python3 \"{{ site }}/server.py\" \"{{ address }}\" \"{{ port.http }}\" \"{{ site }}/static\"\n";
    fs::write(home.join("start.sh"), start).unwrap();
    fs::write(home.join("version.sh"), "/usr/bin/python3 --version\n").unwrap();
    let verify = |more: &[&str]| {
        let mut command = sandbox.command(&["verify", "comments", "Files"]);
        command.args(SMALL).args(more);
        sandbox.finish(command)
    };
    let whole = verify(&[]);
    whole.expect(3, &["not verified: Files"]);
    for text in ["1 of 3 interactions done, ", "Form          done", "ListComments  missing"] {
        assert!(whole.output.contains(text), "{text}: {}", whole.output);
    }
    let some = verify(&["--only", "Form,branches"]);
    some.expect(0, &[]);
    let unknown = verify(&["--only", "Forms"]);
    unknown.expect(2, &["there is no part or interaction `Forms`", "did you mean `Form`?"]);
}

#[test]
fn an_interaction_that_the_application_has_not_is_refused_with_its_line() {
    let sandbox = Sandbox::new().with_own_workspace();
    of_models(&sandbox, "\"Form\", \"ListComment\"");
    let check = sandbox.run(&["check", "comments"]);
    check.expect(2, &["no interaction `ListComment`", "stack.toml:5", "did you mean `ListComments`?"]);
}
