//! A flame graph as inline SVG: each frame as wide as its share of a tier's CPU, its callees below it.
//!
//! Drawn here because libraries need a script, have one colour scheme, and can't show the component of a stack.

use crate::{chart::render, number, words::several};
use askama::Template;
use results::{OTHER, Stacks, TierProfile, component_of};
use std::collections::BTreeMap;

const WIDTH: f64 = 1200.0;
const ROW: f64 = 18.0;
/// Narrower frames are invisible.
const NARROWEST: f64 = 1.5;
const LETTER: f64 = 6.7;

#[derive(Template)]
#[template(path = "flame.svg")]
struct Flame<'a> {
    id: &'a str,
    title: String,
    description: String,
    height: f64,
    frames: Vec<Drawn>,
}

struct Drawn {
    class: String,
    x: String,
    y: f64,
    width: String,
    label: String,
    text: String,
}

/// Frames with the same callers.
#[derive(Default)]
struct Node<'a> {
    samples: u64,
    callees: BTreeMap<&'a str, Node<'a>>,
}

/// Draws a tier's stacks. `color` gives each component's class.
pub(crate) fn flame(
    id: &str,
    name: &str,
    tier: &TierProfile,
    stacks: &Stacks,
    color: &dyn Fn(&str) -> String,
) -> String {
    let mut root = Node::default();
    for (stack, samples) in stacks.iter() {
        root.samples += samples;
        let mut node = &mut root;
        for frame in stack.split(';') {
            node = node.callees.entry(frame).or_default();
            node.samples += samples;
        }
    }
    let mut drawing = Drawing { tier, color, unit: WIDTH / root.samples.max(1) as f64, frames: Vec::new() };
    drawing.callees(&root, "", 0.0, 0);
    let rows = drawing.frames.iter().map(|frame| frame.y).fold(0.0, f64::max) / ROW + 1.0;
    let largest = tier.shares.iter().take(3);
    let largest: Vec<String> =
        largest.map(|share| format!("{} {}", share.component, number::share(share.share))).collect();
    render(&Flame {
        id,
        title: format!("Stacks of {} ({}) of {name}", tier.role, tier.service),
        description: format!(
            "{}. Each frame is as wide as its share, callers stand above callees. Most of it: {}.",
            several(tier.samples, "sample"),
            largest.join(", ")
        ),
        height: rows * ROW,
        frames: drawing.frames,
    })
}

struct Drawing<'a> {
    tier: &'a TierProfile,
    color: &'a dyn Fn(&str) -> String,
    unit: f64,
    frames: Vec<Drawn>,
}

impl Drawing<'_> {
    fn callees(&mut self, node: &Node<'_>, stack: &str, left: f64, depth: u32) {
        let mut x = left;
        for (frame, callee) in &node.callees {
            let width = callee.samples as f64 * self.unit;
            if width >= NARROWEST {
                let stack = if stack.is_empty() { (*frame).to_owned() } else { format!("{stack};{frame}") };
                self.frame(frame, callee, &stack, (x, width), depth);
                self.callees(callee, &stack, x, depth + 1);
            }
            x += width;
        }
    }

    fn frame(&mut self, frame: &str, node: &Node<'_>, stack: &str, (x, width): (f64, f64), depth: u32) {
        let component = component_of(&self.tier.components, stack);
        let share = number::share(node.samples as f64 / self.tier.samples.max(1) as f64);
        let counts = if component == OTHER { String::new() } else { format!(", counts for {component}") };
        let class = if component == OTHER { "unknown".to_owned() } else { (self.color)(component) };
        self.frames.push(Drawn {
            class,
            x: format!("{x:.1}"),
            y: f64::from(depth) * ROW,
            // A gap separates neighbours.
            width: format!("{:.1}", (width - 0.6).max(0.5)),
            label: label(frame, width),
            text: format!("{frame}: {share}{counts}"),
        });
    }
}

/// The function name without object, package and parameters, cut to the width.
fn label(frame: &str, width: f64) -> String {
    let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
    let function = frame.split_once('`').map_or(frame, |(_, function)| function);
    let function = function.split_once('(').map_or(function, |(name, _)| name);
    let short = match frame.starts_with("java`") {
        true => function
            .rsplitn(3, '.')
            .take(2)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
            .join("."),
        false => function.to_owned(),
    };
    if short.chars().count() <= letters {
        return short;
    }
    if letters < 4 {
        return String::new();
    }
    short.chars().take(letters - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_to_what_fits() {
        for (frame, width, expected) in [
            ("java`org.apache.catalina.core.StandardWrapper.invoke", 300.0, "StandardWrapper.invoke"),
            ("java`org.apache.catalina.core.StandardWrapper.invoke", 80.0, "StandardWr…"),
            ("libstdc++.so.6`operator new(unsigned long)", 200.0, "operator new"),
            ("php-fpm8.2", 200.0, "php-fpm8.2"),
            ("php-fpm8.2`execute_ex", 20.0, ""),
            ("php-fpm8.2`zif_ä", 200.0, "zif_ä"),
        ] {
            assert_eq!(label(frame, width), expected, "{frame} in {width}");
        }
    }
}
