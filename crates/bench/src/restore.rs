//! The time to restore a store, as before each point: its files are copied, its server is started, and the dates of
//! open auctions are shifted. For comparison, the time of copying alone.

use crate::{load, show};
use anyhow::{Context as _, ensure};
use application::Dataset;
use auction::AUCTION;
use fs_err as fs;
use services::store::{self, FirstState};
use std::time::Instant;

pub(crate) fn run(scale: &str, rounds: &str) -> anyhow::Result<()> {
    let dataset = Dataset::new(1, scale.parse().context("the scale is a number")?, store::now());
    let rounds: usize = rounds.parse().context("the number of rounds is a number")?;
    ensure!(rounds > 0, "at least one round is needed");
    let (mut instance, access, _scratch) = load::loaded(&dataset)?;
    let kept = instance.folder().join("kept");
    fs::rename(store::shut_down(&mut instance)?, &kept)?;
    let first = FirstState { data: &kept, epoch: dataset.epoch };
    println!("{rounds} restores of the auction at scale {scale} on InnoDB");
    let (mut restores, mut copies) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        let copy = instance.folder().join("copy");
        let start = Instant::now();
        testbed::copy_tree(&kept, &copy)?;
        copies.push(start.elapsed().as_secs_f64());
        fs::remove_dir_all(&copy)?;
        let start = Instant::now();
        store::restore(&mut instance, &access, &AUCTION, first)?;
        restores.push(start.elapsed().as_secs_f64());
        let (restore, copy) = (restores[round - 1], copies[round - 1]);
        println!("  round {round}: restored in {restore:.2} s; copying alone {copy:.2} s");
        instance.stop();
    }
    show("restore", "seconds, of which 15 are wanted at most at scale 1", restores.into_iter());
    show("copy", "seconds", copies.into_iter());
    Ok(())
}
