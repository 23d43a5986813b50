//! The exact expected visits of a walk with a back button.
//!
//! The target of a back step depends on the whole history, so that the walk is no Markov chain over pages. It is one
//! over stacks of pages: the probability of ever going back below a page does not depend on what lies below. These
//! probabilities are the least solution of a system of polynomial equations (Esparza, Kučera and Mayr, *Model checking
//! probabilistic pushdown automata*, LICS 2004; Etessami and Yannakakis, *Recursive Markov chains*, J. ACM 56(1),
//! 2009), which iteration from zero approaches from below. Once they are known, visits solve a linear system, as in a
//! Markov chain.
//!
//! The stack has no limit here. A browser's limit of fifty pages matters only to users who go fifty pages forward and
//! then back over all of them.

/// A walk over numbered pages. The rest of a row's sum to 1 is the probability that the walk ends there.
pub(crate) struct Walk {
    /// The probability of going from each page (first index) to each page.
    pub forward: Vec<Vec<f64>>,
    /// The probability of going back from each page.
    pub back: Vec<f64>,
    /// True if a page is put on the history. A page that isn't is skipped when going back.
    pub remembered: Vec<bool>,
    /// The first page, which is visited again after going back over it. It is on the history.
    pub start: usize,
}

/// Changes below this are rounding.
const SMALLEST_CHANGE: f64 = 1e-15;

/// An upper bound of the iterations of finite walks.
const MOST_ROUNDS: usize = 200_000;

/// The limit beyond which a walk is infinite, but for rounding errors.
const MOST_VISITS: f64 = 1e12;

impl Walk {
    /// The expected visits of each page, including those by going back; none if the walk never ends.
    pub(crate) fn visits(&self) -> Option<Vec<f64>> {
        let reached = self.reached();
        let left = self.left_by_going_back();
        let pages: Vec<usize> = (0..self.back.len()).filter(|page| reached[*page]).collect();
        let equation = |to: usize| {
            let mut row: Vec<f64> = pages.iter().map(|from| -self.forward[*from][to]).collect();
            let at = pages.iter().position(|page| *page == to).expect("it is one of them");
            row[at] += if self.remembered[to] { 1.0 - self.comes_back(to, &left) } else { 1.0 };
            // After going back over the first page, the walk starts again with an empty history.
            row.push(if to == self.start { 1.0 / (1.0 - left[to]) } else { 0.0 });
            row
        };
        let solution = solve(pages.iter().map(|page| equation(*page)).collect())?;
        let is_number = |visits: &f64| (-1e-9..MOST_VISITS).contains(visits);
        let mut visits = vec![0.0; self.back.len()];
        for (page, expected) in pages.iter().zip(&solution) {
            visits[*page] = *expected;
        }
        solution.iter().all(is_number).then_some(visits)
    }

    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.back.len()];
        let mut open = vec![self.start];
        while let Some(page) = open.pop() {
            if !std::mem::replace(&mut reached[page], true) {
                open.extend((0..reached.len()).filter(|to| self.forward[page][*to] > 0.0));
            }
        }
        reached
    }

    /// For each page, the probability that the walk ever goes back to the page below it on the history.
    fn left_by_going_back(&self) -> Vec<f64> {
        let mut left = vec![0.0; self.back.len()];
        for _ in 0..MOST_ROUNDS {
            let mut change: f64 = 0.0;
            for page in 0..left.len() {
                let again = self.comes_back(page, &left);
                let chance = match self.remembered[page] {
                    _ if self.back[page] + again == 0.0 => 0.0,
                    true if self.back[page] == 0.0 => 0.0,
                    true => self.back[page] / (1.0 - again),
                    false => again + self.back[page],
                };
                change = change.max(chance - left[page]);
                left[page] = chance;
            }
            if change <= SMALLEST_CHANGE {
                break;
            }
        }
        left
    }

    /// The probability that the walk goes forward from a page and returns to it or, if it is not on the history, below
    /// it.
    fn comes_back(&self, page: usize, left: &[f64]) -> f64 {
        self.forward[page].iter().zip(left).map(|(share, left)| share * left).sum()
    }
}

/// Solves a linear system by elimination; none if it is singular.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        let (done, below) = rows.split_at_mut(at + 1);
        let row = &mut done[at];
        let scale = row[at];
        if scale.abs() < 1e-14 {
            return None;
        }
        row.iter_mut().for_each(|value| *value /= scale);
        for other in below {
            let factor = other[at];
            other.iter_mut().zip(row.iter()).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|later| rows[at][later] * solution[later]).sum();
        solution[at] = rows[at][count] - known;
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(forward: &[&[f64]], back: &[f64], remembered: &[bool]) -> Walk {
        let forward = forward.iter().map(|row| row.to_vec()).collect();
        Walk { forward, back: back.to_vec(), remembered: remembered.to_vec(), start: 0 }
    }

    fn assert_near(visits: &[f64], expected: &[f64]) {
        assert!(visits.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{visits:?} {expected:?}");
    }

    #[test]
    fn without_going_back_it_is_a_markov_chain() {
        let walk = walk(&[&[0.0, 1.0], &[0.5, 0.25]], &[0.0, 0.0], &[true, true]);
        // Page 1 is left for 0 or for good with 0.5 and 0.25 after 4/3 visits on average.
        assert_near(&walk.visits().unwrap(), &[3.0, 4.0]);
    }

    #[test]
    fn going_back_leads_to_the_previous_page() {
        // From 0 to 1 or 2, from both to 3, from there back to wherever it was, and then the end.
        let forward: [&[f64]; 4] = [&[0., 0.3, 0.7, 0.], &[0., 0., 0., 0.5], &[0., 0., 0., 0.25], &[0.; 4]];
        let walk = walk(&forward, &[0., 0., 0., 1.], &[true; 4]);
        // Each visit of 1 leads to another with 0.5; each of 2 with 0.25.
        assert_near(&walk.visits().unwrap(), &[1.0, 0.3 / 0.5, 0.7 / 0.75, 0.3 + 0.7 / 0.75 * 0.25]);
    }

    #[test]
    fn a_page_outside_the_history_is_skipped() {
        // From 0 by a form to 1, from 1 by a form to 2, and back to 0.
        let forward: [&[f64]; 3] = [&[0.0, 0.5, 0.0], &[0.0, 0.0, 1.0], &[0.0; 3]];
        let walk = walk(&forward, &[0.0, 0.0, 1.0], &[true, false, false]);
        assert_near(&walk.visits().unwrap(), &[2.0, 1.0, 1.0]);
    }

    #[test]
    fn going_back_over_the_first_page_starts_again() {
        let walk = walk(&[&[0.0]], &[0.75], &[true]);
        assert_near(&walk.visits().unwrap(), &[4.0]);
    }

    #[test]
    fn infinite_walks_have_no_visits_and_unreachable_pages_are_ignored() {
        let endless = walk(&[&[0.0, 1.0], &[1.0, 0.0]], &[0.0, 0.0], &[true, true]);
        assert!(endless.visits().is_none());
        let ending = walk(&[&[0.0, 0.0], &[0.0, 1.0]], &[0.0, 0.0], &[true, true]);
        assert_near(&ending.visits().unwrap(), &[1.0, 0.0]);
    }
}
