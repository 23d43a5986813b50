//! Users that programs run as where the laboratory runs as root: web servers and databases refuse to run as root, and tiers must
//! not reach one another, or what measures them. Other users run all programs as themselves.

use crate::remote::{Remote, Request};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::{
    fmt, io,
    ops::Range,
    os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr as Name, UnixListener},
    },
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// Ids of tiers' users. Debian's packages have none of them (`base-passwd`: 60000 to 64999 by request, of which the lowest is 63434),
/// systemd's list of ranges calls them unused, and a container without root, with its 65536 ids, has them, too.
pub const TIER_IDS: Range<u32> = 60_578..61_184;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub uid: u32,
    pub gid: u32,
    /// A second group.
    pub member_of: Option<u32>,
}

impl fmt::Display for User {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.uid, self.gid)?;
        self.member_of.map_or(Ok(()), |group| write!(to, ":{group}"))
    }
}

#[derive(Debug)]
pub struct NoUser;

impl FromStr for User {
    type Err = NoUser;

    fn from_str(text: &str) -> Result<Self, NoUser> {
        let ids: Result<Vec<u32>, _> = text.split(':').map(str::parse).collect();
        match ids.map_err(|_| NoUser)?[..] {
            [uid, gid] => Ok(Self { uid, gid, member_of: None }),
            [uid, gid, group] => Ok(Self { uid, gid, member_of: Some(group) }),
            _ => Err(NoUser),
        }
    }
}

/// The group of all tiers, that of web servers: it passes through the run's folder, reads what tiers share, and reaches their
/// sockets. None if tiers run as the caller.
pub fn tier_group() -> Option<u32> {
    is_root().then(|| named("www-data").unwrap_or_else(nobody).gid)
}

/// The user of all stores, by its name and with its own group, because initdb and Dovecot insist on that.
pub fn store_user() -> Option<User> {
    tier_group().map(|group| User { member_of: Some(group), ..nobody() })
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn nobody() -> User {
    const NOBODY: User = User { uid: 65_534, gid: 65_534, member_of: None };
    named("nobody").unwrap_or(NOBODY)
}

fn named(name: &str) -> Option<User> {
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let line = passwd.lines().find(|line| line.starts_with(&format!("{name}:")))?;
    let mut fields = line.split(':').skip(2);
    let mut id = || fields.next()?.parse().ok();
    Some(User { uid: id()?, gid: id()?, member_of: None })
}

/// A user that no other tier on its machine has until this is dropped.
#[derive(Debug)]
pub struct TierUser {
    user: User,
    _reservation: Reservation,
}

#[derive(Debug)]
enum Reservation {
    /// A socket with the user's name, which the kernel gives to one process at a time and frees when that ends.
    Here {
        _name: UnixListener,
    },
    There {
        _reserved: ReservedThere,
    },
}

/// A reservation on another machine.
#[derive(Debug)]
struct ReservedThere {
    host: Arc<Remote>,
    uid: u32,
}

impl Drop for ReservedThere {
    fn drop(&mut self) {
        // A lost host has released it.
        let _ = self.host.ask::<()>(Request::ReleaseUser(self.uid));
    }
}

impl TierUser {
    /// Reserves a user on this machine; none if tiers run as the caller.
    pub fn reserve() -> io::Result<Option<Self>> {
        tier_group().map(|group| Self::among(TIER_IDS, group)).transpose()
    }

    /// A user that another machine has reserved.
    pub(crate) fn there(host: &Arc<Remote>, user: User) -> Self {
        let _reserved = ReservedThere { host: Arc::clone(host), uid: user.uid };
        Self { user, _reservation: Reservation::There { _reserved } }
    }

    pub fn user(&self) -> User {
        self.user
    }

    /// Reserves the next free one of these ids. One that was just released comes last: its files may still be there.
    fn among(ids: Range<u32>, gid: u32) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (first, count) = (NEXT.load(Relaxed), ids.end - ids.start);
        for number in (0..count).map(|offset| (first + offset) % count) {
            let uid = ids.start + number;
            let name = Name::from_abstract_name(format!("tierbench-user-{uid}"))?;
            match UnixListener::bind_addr(&name) {
                Ok(_name) => {
                    NEXT.store(number + 1, Relaxed);
                    let user = User { uid, gid, member_of: None };
                    return Ok(Self { user, _reservation: Reservation::Here { _name } });
                }
                Err(fault) if fault.kind() == io::ErrorKind::AddrInUse => {}
                Err(fault) => return Err(fault),
            }
        }
        let text = format!(
            "no user is left for a tier: all ids from {} to {} are reserved; end another run of tierbench",
            ids.start,
            ids.end - 1
        );
        Err(io::Error::new(io::ErrorKind::AddrInUse, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tier_has_an_id_of_its_own_until_it_is_gone() {
        // Ids that no run on this machine takes.
        let ids = 4_000_000_000..4_000_000_003;
        let take = || TierUser::among(ids.clone(), 33);
        let held: Vec<TierUser> = (0..3).map(|_| take().unwrap()).collect();
        let mut taken: Vec<u32> = held.iter().map(|own| own.user().uid).collect();
        taken.sort_unstable();
        assert_eq!(taken, [4_000_000_000, 4_000_000_001, 4_000_000_002]);
        assert!(held.iter().all(|own| own.user().gid == 33 && own.user().member_of.is_none()));
        let fault = take().unwrap_err().to_string();
        assert!(fault.contains("all ids from 4000000000 to 4000000002 are reserved; end another"), "{fault}");
        drop(held);
        assert!(take().is_ok());
    }

    #[test]
    fn a_user_is_read_as_it_is_written() {
        for text in ["60578:33", "65534:65534:33"] {
            assert_eq!(text.parse::<User>().unwrap().to_string(), text);
        }
        for text in ["", "33", "33:", "1:2:3:4", "root:root"] {
            assert!(text.parse::<User>().is_err(), "{text}");
        }
    }

    #[test]
    fn tiers_and_stores_have_different_users() {
        let Some(store) = store_user() else {
            assert!(TierUser::reserve().unwrap().is_none(), "without root, all run as the caller");
            return;
        };
        let tier = TierUser::reserve().unwrap().unwrap().user();
        assert!(TIER_IDS.contains(&tier.uid) && !TIER_IDS.contains(&store.uid) && store.uid != 0);
        assert_eq!((Some(tier.gid), store.member_of), (tier_group(), tier_group()), "both pass through");
        assert_ne!(store.gid, tier.gid, "a store's own group keeps tiers out");
    }
}
