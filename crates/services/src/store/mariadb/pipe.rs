//! A named pipe that the server reads like a file, while it is written.
//!
//! Neither side may wait for the other forever: the server might refuse the statement before it opens the pipe, or
//! stop reading; the writer might be cancelled. So the writer never blocks for long, and on cancellation keeps the
//! pipe open: the server takes the end of a pipe for the end of the data.

use std::{
    io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use testbed::{HostHandle, PipeEnd};

const LOOK: Duration = Duration::from_millis(1);

/// A named pipe, whose name is removed on drop.
pub(super) struct Pipe<'h> {
    place: &'h HostHandle,
    path: PathBuf,
}

impl<'h> Pipe<'h> {
    /// Makes a pipe on a host that only its creator and the stores' user can open.
    pub(super) fn create(path: PathBuf, place: &'h HostHandle) -> io::Result<Self> {
        place.make_pipe(&path)?;
        Ok(Self { place, path })
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
            match self.place.open_pipe(&self.path)? {
                Some(end) => return Ok(Some(Writer { end, is_over })),
                None if is_over() => return Ok(None),
                None => thread::sleep(LOOK),
            }
        }
    }
}

impl Drop for Pipe<'_> {
    fn drop(&mut self) {
        let _ = self.place.remove(&self.path);
    }
}

/// The writing end of a pipe. Its drop is the end of the data.
pub(super) struct Writer<'a> {
    end: PipeEnd,
    is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Writer<'_> {
    /// Waits until the pipe has taken all of `bytes`. An error if the reader is gone, or if loading was cancelled.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.end.write(bytes, self.is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::{
        event::{PollFd, PollFlags, poll},
        time::Timespec,
    };
    use std::{
        fs::File,
        io::Read as _,
        sync::{
            LazyLock,
            atomic::{AtomicBool, Ordering},
        },
    };

    /// The kernel's limit for an unprivileged process.
    const CAPACITY: usize = 1 << 20;
    static HERE: LazyLock<HostHandle> = LazyLock::new(HostHandle::default);

    fn pipe() -> (tempfile::TempDir, Pipe<'static>) {
        let folder = tempfile::tempdir().unwrap();
        let pipe = Pipe::create(folder.path().join("rows"), &HERE).unwrap();
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
