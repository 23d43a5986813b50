//! Generates an application's rows without a server, prints their sizes and distributions, and checks what is declared.

use crate::{
    arguments::{CheckOptions, DATA_SCALE},
    fault::{CommandError, Fault},
    output::{note, print},
};
use application::{
    Application, Bins, Dataset, Distribution, Generator, Property, Survey, Table, Tally, Timestamp, Verdict,
};
use std::{
    io,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Units are handed to the threads in parts, so small that all threads end together.
const PART: u64 = 4096;

/// Interval at which the share that is done is printed.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// So wide is a picture at most.
const WIDTH: usize = 64;

/// Dates are relative, so any instant will do; this one gives the same bytes at any time.
const EPOCH: Timestamp = Timestamp(1_800_000_000);

pub(super) fn run(
    application: &dyn Application,
    distribution: Distribution,
    options: &CheckOptions,
) -> Result<(), Fault> {
    let (scale, seed) = (options.scale.unwrap_or(DATA_SCALE), options.seed.unwrap_or(1));
    let dataset = Dataset { distribution, ..Dataset::new(seed, scale, EPOCH) };
    print(format_args!("{}: {distribution} data at scale {scale}, seed {seed}\n", application.name()))?;
    let properties = application.properties(&dataset);
    let begun = Instant::now();
    let survey = survey(application, &dataset, &properties);
    print_sizes(&survey, begun.elapsed())?;
    let mut failed = Vec::new();
    for (property, tally, verdicts) in survey.results() {
        print_property(property, &tally, &verdicts)?;
        let broken = verdicts.iter().filter(|verdict| verdict.holds == Some(false));
        failed.extend(broken.map(|Verdict { declared, measured, .. }| {
            format!("\n  {}: declared {declared}, measured {measured}", property.name)
        }));
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(CommandError::input(format!("the data differ from what is declared:{}", failed.concat()))
        .with_help("correct the model's generator, or what it declares")
        .into())
}

/// Makes all rows on all processors, and looks at each.
fn survey<'a>(application: &dyn Application, dataset: &Dataset, properties: &'a [Property]) -> Survey<'a> {
    let generator = application.generator(dataset);
    let parts: Vec<_> = application.tables().iter().flat_map(|table| parts(&*generator, table)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut survey = Survey::new(application.tables(), properties);
        while let Some((table, units)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            generator.rows(table, units.clone(), &mut |row| survey.take(table, row));
            done.fetch_add(1, Ordering::Relaxed);
        }
        survey
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut printed = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(20));
            if printed.elapsed() > REPORT_INTERVAL {
                printed = Instant::now();
                let share = done.load(Ordering::Relaxed) * 100 / parts.len().max(1);
                note(format_args!("making rows: {share} %"));
            }
        }
        let mut all = Survey::new(application.tables(), properties);
        for worker in workers {
            match worker.join() {
                Ok(survey) => all.merge(&survey),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

fn parts<'a>(
    generator: &dyn Generator,
    table: &'a Table,
) -> impl Iterator<Item = (&'a Table, Range<u64>)> + use<'a> {
    let units = generator.units(table);
    (0..units.div_ceil(PART)).map(move |part| (table, part * PART..units.min((part + 1) * PART)))
}

fn print_sizes(survey: &Survey<'_>, took: Duration) -> io::Result<()> {
    let line = |table: &str, rows: u64, bytes: u64| {
        print(format_args!("  {table:<14} {:>14} {:>16}", grouped(rows), grouped(bytes)))
    };
    print(format_args!("  {:<14} {:>14} {:>16}", "table", "rows", "bytes as text"))?;
    let (mut all_rows, mut all_bytes) = (0, 0);
    for (table, rows, bytes) in survey.sizes() {
        line(table, rows, bytes)?;
        all_rows += rows;
        all_bytes += bytes;
    }
    line("all", all_rows, all_bytes)?;
    print(format_args!("  made and measured in {:.1} s\n", took.as_secs_f64()))
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| str::from_utf8(part).ok()).collect();
    groups.join(",")
}

fn print_property(property: &Property, tally: &Tally, verdicts: &[Verdict]) -> io::Result<()> {
    match property.bins {
        Some(bins) => {
            print(format_args!("{} (mean {:.2})", property.name, tally.mean()))?;
            picture(bins, &tally.bins).into_iter().try_for_each(print)?;
        }
        None => print(property.name)?,
    }
    for Verdict { declared, measured, holds } in verdicts {
        let holds = match holds {
            Some(true) => "holds",
            Some(false) => "DOES NOT HOLD",
            None => "too few rows to tell",
        };
        print(format_args!("  declared {declared:<36} measured {measured:<20} {holds}"))?;
    }
    Ok(())
}

/// The height of a picture, in lines.
const HEIGHT: u64 = 3;
/// Eighths of a line.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The bins as columns, the fullest as high as the picture, with the figures where the first and the last one begin.
/// A bin with anything in it is seen.
fn picture(bins: Bins, counts: &[u64]) -> Vec<String> {
    let wide = (WIDTH / counts.len().max(1)).max(1);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let eighths = |count: u64| (count * HEIGHT * 8).div_ceil(most);
    let line = |level: u64| {
        let block = |count: &u64| BLOCKS[eighths(*count).saturating_sub(level * 8).min(8) as usize];
        let blocks: String =
            counts.iter().flat_map(|count| std::iter::repeat_n(block(count), wide)).collect();
        format!("  {}", blocks.trim_end())
    };
    let (first, last) = (bins.begin(0).to_string(), short(bins.begin(counts.len().saturating_sub(1))));
    let gap = (wide * counts.len()).saturating_sub(first.len());
    let axis = format!("  {first}{last:>gap$}");
    (0..HEIGHT).rev().map(line).chain([axis]).collect()
}

/// A figure with at most two decimals.
fn short(figure: f64) -> String {
    ((figure * 100.0).round() / 100.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_every_bin_that_is_not_empty() {
        let bins = Bins::Even { from: 1.0, width: 0.5, count: 4 };
        let shown = picture(bins, &[8, 4, 0, 1]);
        assert_eq!(shown[0], format!("  {}", "█".repeat(16)));
        assert_eq!(shown[1], format!("  {}{}", "█".repeat(16), "▄".repeat(16)));
        assert_eq!(shown[2], format!("  {}{}{}", "█".repeat(32), " ".repeat(16), "▃".repeat(16)));
        assert_eq!(shown[3], format!("  1{:>63}", "2.5"));
        let wide = Bins::Even { from: 0.0, width: 1.0, count: 62 };
        assert!(picture(wide, &[1; 62]).iter().all(|line| line.chars().count() <= 80));
    }

    #[test]
    fn numbers_have_separators_between_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
