//! Messages in Dovecot: Maildirs with their UID lists are written before the server starts, and read by `doveadm`.

use super::refused;
use crate::{Instance, ServiceError};
use application::{Dataset, Message, Owner, Records};
use fs_err as fs;
use serde::Deserialize;
use std::{
    fmt::Write as _,
    io,
    path::Path,
    time::{Duration, Instant},
};

/// Validity of UIDs (RFC 9051): a recreated mailbox has another one.
const UID_VALIDITY: u32 = 1_700_000_000;

pub(super) fn load(
    instance: &Instance,
    records: &dyn Records,
    dataset: &Dataset,
) -> Result<(), ServiceError> {
    let data = instance.folder().join("data");
    let next = records.first_new_uid();
    let (mut users, mut written) = (String::new(), Ok(()));
    records.mailboxes(dataset, &mut |owner, messages| {
        let _ = writeln!(users, "{}:{{PLAIN}}{}::::::", owner.name, owner.password);
        if written.is_ok() {
            written = write_mailbox(&data.join("mail").join(&owner.name), &owner, &messages, next);
        }
    });
    written?;
    fs::write(data.join("users"), users)?;
    Ok(instance.user().map_or(Ok(()), |user| testbed::give_tree(&data, user))?)
}

fn write_mailbox(home: &Path, owner: &Owner, messages: &[Message], next: u32) -> io::Result<()> {
    let others = owner.folders.iter().map(|folder| (folder.as_str(), home.join(format!(".{folder}"))));
    for (folder, place) in [("INBOX", home.to_owned())].into_iter().chain(others) {
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(place.join(part))?;
        }
        if folder != "INBOX" {
            fs::write(place.join("maildirfolder"), "")?;
        }
        let mut list = format!("3 V{UID_VALIDITY} N{next}\n");
        for message in messages.iter().filter(|message| message.folder == folder) {
            let Message { uid, source, .. } = message;
            let size = source.len();
            let name = format!("{UID_VALIDITY}.M{uid}P1.tierbench,S={size},W={size}");
            fs::write(place.join("cur").join(format!("{name}:2,")), source)?;
            let _ = writeln!(list, "{uid} :{name}");
        }
        fs::write(place.join("dovecot-uidlist"), list)?;
    }
    fs::write(home.join("subscriptions"), owner.folders.join("\n") + "\n")
}

#[derive(Deserialize)]
struct Printed {
    user: String,
    mailbox: String,
    uid: String,
    flags: String,
    text: String,
}

pub(super) fn dump(instance: &Instance) -> Result<Vec<Message>, ServiceError> {
    let fields = "user mailbox uid flags text";
    let printed: Vec<Printed> = query_doveadm(instance, &["fetch", "-A", fields, "mailbox", "*"])?;
    let message = |printed: Printed| {
        Some(Message {
            owner: printed.user,
            folder: printed.mailbox,
            uid: printed.uid.parse().ok()?,
            is_deleted: printed.flags.split(' ').any(|flag| flag == "\\Deleted"),
            source: printed.text.into_bytes(),
        })
    };
    let messages = printed.into_iter().map(message).collect::<Option<Vec<_>>>();
    messages.ok_or_else(|| refused(instance, "doveadm prints a message without a number".to_owned()))
}

pub(super) fn delete(instance: &Instance, place: &(String, String, u32)) -> Result<(), ServiceError> {
    let (owner, folder, uid) = place;
    let settings = settings(instance);
    let uid = uid.to_string();
    let words = ["-c", &settings, "expunge", "-u", owner, "mailbox", folder, "uid", &uid];
    instance.run_tool("doveadm", &words).map(drop)
}

/// Timeout for remaining sessions: longer than any page.
const WAIT: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

/// Waits until no session is open. A page that sends a message ends its session at delivery or, where pages share
/// sessions, some seconds later.
pub(super) fn wait_until_quiet(instance: &Instance) -> Result<(), ServiceError> {
    let deadline = Instant::now() + WAIT;
    loop {
        // One line per session: the list would keep only the first of several lines per user.
        let open: Vec<serde_json::Value> = query_doveadm(instance, &["who", "-1"])?;
        if open.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            let fault = format!("{} sessions are open that nobody ends", open.len());
            return Err(refused(instance, fault));
        }
        std::thread::sleep(LOOK);
    }
}

/// Runs the server's own tool, whose complaints come before its answer.
fn query_doveadm<T: for<'a> Deserialize<'a>>(
    instance: &Instance,
    words: &[&str],
) -> Result<Vec<T>, ServiceError> {
    let settings = settings(instance);
    let printed = instance.run_tool("doveadm", &[&["-c", &settings, "-f", "json"], words].concat())?;
    let text = String::from_utf8_lossy(&printed);
    let answer = text.lines().rfind(|line| line.starts_with('[')).unwrap_or("[]");
    serde_json::from_str(answer)
        .map_err(|fault| refused(instance, format!("doveadm {} prints what is no JSON: {fault}", words[0])))
}

fn settings(instance: &Instance) -> String {
    instance.folder().join("dovecot.conf").display().to_string()
}
