//! Sampler for PHP-FPM's status page, over FastCGI.
//!
//! Two gauges of the page are left out: the listen queue, always 0 for a Unix socket, and the count of attempts to
//! exceed a pool, which a static pool never makes. The web server's busy workers show who waits.

use super::{Collect, Reading};
use results::GaugeRole;
use settings::WithDeadline;
use std::{
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    time::Duration,
};

pub(super) struct Collector {
    pub socket: PathBuf,
    pub path: String,
}

const FPM_STATUS_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer; a status page has some hundreds.
const LONGEST_ANSWER: usize = 1 << 20;

impl Collect for Collector {
    fn pace(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let page = self.page().map_err(|error| format!("its status page can't be had ({error})"))?;
        readings(&page).ok_or_else(|| "its status page does not count processes".to_owned())
    }
}

impl Collector {
    fn page(&self) -> io::Result<String> {
        let mut stream = WithDeadline::new(UnixStream::connect(&self.socket)?, FPM_STATUS_TIMEOUT);
        let variables =
            [("SCRIPT_NAME", self.path.as_str()), ("SCRIPT_FILENAME", &self.path), ("REQUEST_METHOD", "GET")];
        stream.write_all(&request(&variables))?;
        output(&mut stream)
    }
}

fn readings(page: &str) -> Option<Vec<Reading>> {
    let field =
        |name: &str| page.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()));
    let number = |name: &str| field(name)?.parse::<f64>().ok();
    // A static pool has all its processes from the start.
    let limit = number("total processes").filter(|_| field("process manager") == Some("static"));
    let pool = GaugeRole::Pool("processes".to_owned());
    Some(vec![
        Reading::new("busy processes", pool, number("active processes")?).within(limit),
        Reading::new("idle processes", GaugeRole::Information, number("idle processes")?),
    ])
}

const VERSION: u8 = 1;
const BEGIN_REQUEST: u8 = 1;
const END_REQUEST: u8 = 3;
const PARAMS: u8 = 4;
const STDIN: u8 = 5;
const STDOUT: u8 = 6;
/// The connection is closed after the answer.
const RESPONDER: [u8; 8] = [0, 1, 0, 0, 0, 0, 0, 0];

fn request(variables: &[(&str, &str)]) -> Vec<u8> {
    let mut content = Vec::new();
    for (name, value) in variables {
        for length in [name.len(), value.len()] {
            // The highest bit marks the long form.
            content.extend((length as u32 | 1 << 31).to_be_bytes());
        }
        content.extend(name.bytes().chain(value.bytes()));
    }
    [record(BEGIN_REQUEST, &RESPONDER), record(PARAMS, &content), record(PARAMS, &[]), record(STDIN, &[])]
        .concat()
}

fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = (content.len() as u16).to_be_bytes();
    [&[VERSION, kind, 0, 1, high, low, 0, 0], content].concat()
}

/// The answer's standard output: headers and page.
fn output(stream: &mut impl Read) -> io::Result<String> {
    let mut output = Vec::new();
    loop {
        let mut head = [0; 8];
        stream.read_exact(&mut head)?;
        let [_, kind, _, _, high, low, padding, _] = head;
        let mut content = vec![0; usize::from(u16::from_be_bytes([high, low])) + usize::from(padding)];
        stream.read_exact(&mut content)?;
        content.truncate(content.len() - usize::from(padding));
        match kind {
            END_REQUEST => return Ok(String::from_utf8_lossy(&output).into_owned()),
            STDOUT if output.len() + content.len() > LONGEST_ANSWER => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is longer than 1 MiB"));
            }
            STDOUT => output.extend(content),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_over_its_records() {
        let mut answer = record(STDOUT, b"process manager:      static\nactive proc");
        // With three bytes of padding, as servers align records.
        answer.extend([VERSION, STDOUT, 0, 1, 0, 9, 3, 0]);
        answer.extend(b"esses:  5???");
        answer.extend(record(7, b"a complaint"));
        answer.extend(record(STDOUT, b"\nidle processes: 2\ntotal processes: 7\n"));
        answer.extend(record(END_REQUEST, &[0; 8]));
        let page = output(&mut answer.as_slice()).unwrap();
        let readings_of_page = readings(&page).unwrap();
        let said: Vec<_> = readings_of_page.iter().map(|one| (&*one.name, one.value, one.limit)).collect();
        assert_eq!(said, [("busy processes", 5.0, Some(7.0)), ("idle processes", 2.0, None)]);
        assert!(output(&mut &answer[..answer.len() - 1]).is_err());
        assert_eq!(readings("Status: 404 Not Found"), None);
        let endless = record(STDOUT, &[b'x'; 60_000]).repeat(20);
        let fault = output(&mut endless.as_slice()).unwrap_err().to_string();
        assert!(fault.contains("longer than 1 MiB"), "{fault}");
    }
}
