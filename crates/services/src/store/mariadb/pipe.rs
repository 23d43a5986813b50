//! A named pipe that the server reads like a file, while it is written.
//!
//! Neither side may wait for the other forever: the server might refuse the statement before it opens the pipe, or
//! stop reading; the writer might be cancelled. So the writer never blocks for long, and on cancellation keeps the
//! pipe open: the server takes the end of a pipe for the end of the data.

use fs_err as fs;
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{CWD, FileType, Mode, OFlags, mknodat, open},
    io::Errno,
    pipe::fcntl_setpipe_size,
    time::Timespec,
};
use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use testbed::User;

/// Capacity requested from the kernel: the most that an unprivileged process may ask for.
const CAPACITY: usize = 1 << 20;
const LOOK: Duration = Duration::from_millis(1);
/// Interval of checks for cancellation while the pipe is full.
const STOP_CHECK_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// A named pipe, whose name is removed on drop.
pub(super) struct Pipe {
    path: PathBuf,
}

impl Pipe {
    /// Makes a pipe that only its creator and `reader` can open.
    pub(super) fn create(path: PathBuf, reader: Option<User>) -> io::Result<Self> {
        let _ = fs::remove_file(&path);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        let pipe = Self { path };
        reader.map_or(Ok(()), |user| testbed::give_tree(&pipe.path, user))?;
        Ok(pipe)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The writing end, once there is a reader. None if `is_over` becomes true first.
    pub(super) fn writer<'a>(
        &self,
        is_over: &'a (dyn Fn() -> bool + Sync),
    ) -> io::Result<Option<Writer<'a>>> {
        loop {
            match open(&self.path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
                Ok(end) => {
                    // A smaller pipe works too, but slower.
                    let _ = fcntl_setpipe_size(&end, CAPACITY);
                    return Ok(Some(Writer { end: end.into(), is_over }));
                }
                Err(Errno::NXIO) if is_over() => return Ok(None),
                Err(Errno::NXIO) => thread::sleep(LOOK),
                Err(fault) => return Err(fault.into()),
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The writing end of a pipe. Its drop is the end of the data.
pub(super) struct Writer<'a> {
    end: File,
    is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Writer<'_> {
    /// Waits until the pipe has taken all of `bytes`. An error if the reader is gone, or if loading was cancelled.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if (self.is_over)() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match self.end.write(bytes) {
                Ok(taken) => bytes = &bytes[taken..],
                Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => self.wait_for_room()?,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    fn wait_for_room(&self) -> io::Result<()> {
        match poll(&mut [PollFd::new(&self.end, PollFlags::OUT)], Some(&STOP_CHECK_INTERVAL)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(fault) => Err(fault.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::Read as _,
        sync::atomic::{AtomicBool, Ordering},
    };

    fn pipe() -> (tempfile::TempDir, Pipe) {
        let folder = tempfile::tempdir().unwrap();
        let pipe = Pipe::create(folder.path().join("rows"), None).unwrap();
        (folder, pipe)
    }

    #[test]
    fn more_than_fits_into_the_pipe_arrives_whole() {
        let (folder, pipe) = pipe();
        let sent: Vec<u8> = (0..3 * CAPACITY).map(|at| (at % 251) as u8).collect();
        let mut read = Vec::new();
        thread::scope(|scope| {
            scope.spawn(|| pipe.writer(&|| false).unwrap().unwrap().write(&sent).unwrap());
            File::open(pipe.path()).unwrap().read_to_end(&mut read).unwrap();
        });
        assert!(read == sent);
        drop(pipe);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_writer_waits_neither_for_a_reader_that_will_not_come_nor_for_one_that_has_gone() {
        let (_folder, pipe) = pipe();
        assert!(pipe.writer(&|| true).unwrap().is_none());
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut writer = pipe.writer(&|| false).unwrap().unwrap();
                writer.write(&vec![0; 4 * CAPACITY]).unwrap_err().kind()
            });
            File::open(pipe.path()).unwrap().read_exact(&mut [0; 10]).unwrap();
            assert_eq!(writer.join().unwrap(), io::ErrorKind::BrokenPipe);
        });
    }

    #[test]
    fn an_interrupted_writer_keeps_its_end_of_the_pipe_open() {
        let (_folder, pipe) = pipe();
        let stop = AtomicBool::new(false);
        let is_over = || stop.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut writer = pipe.writer(&is_over).unwrap().unwrap();
                (writer.write(&vec![1; 4 * CAPACITY]).unwrap_err().kind(), writer)
            });
            let mut reader = File::open(pipe.path()).unwrap();
            reader.read_exact(&mut [0; 10]).unwrap();
            stop.store(true, Ordering::Relaxed);
            let (fault, writer) = writer.join().unwrap();
            assert_eq!(fault, io::ErrorKind::Interrupted);
            let mut left = [PollFd::new(&reader, PollFlags::IN)];
            poll(&mut left, Some(&Timespec::default())).unwrap();
            assert!(!left[0].revents().contains(PollFlags::HUP));
            drop(writer);
        });
    }
}
