//! The evaluation and the count over a game, as a picture.

use std::path::Path;

use plotters::prelude::*;

use super::review::{Review, Verdict};
use crate::count;

const SIZE: (u32, u32) = (900, 420);
/// Height of the count's part, below the evaluation's.
const COUNT_HEIGHT: u32 = 130;
const INK: RGBColor = RGBColor(31, 119, 180);
const MARKS: RGBColor = RGBColor(214, 39, 40);
const COUNT_INK: RGBColor = RGBColor(44, 120, 60);

/// Draws a game.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn draw(path: &Path, title: &str, review: &Review) -> Result<(), String> {
    picture(path, title, review).map_err(|error| error.to_string())
}

/// What White may expect, in percent.
fn percent(verdict: &Verdict) -> f64 {
    100.0 * verdict.white
}

/// Moves left on the count of the endgame that runs, and its limit.
fn moves_left(verdict: &Verdict) -> Option<(f64, f64)> {
    let clock = verdict.clocks.iter().find(|clock| count::is_count(clock.kind))?;
    (clock.remaining < u32::MAX)
        .then(|| (f64::from(clock.remaining) / 2.0, f64::from(clock.limit) / 2.0))
}

/// Numbers of moves; what lies between them stays blank.
fn whole(x: &f64) -> String {
    if (x - x.round()).abs() < 1e-6 { format!("{x:.0}") } else { String::new() }
}

fn picture(
    path: &Path,
    title: &str,
    review: &Review,
) -> Result<(), DrawingAreaErrorKind<impl std::error::Error + Send + Sync + use<>>> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let counts: Vec<(f64, f64, f64)> = review
        .positions
        .iter()
        .enumerate()
        .filter_map(|(ply, verdict)| {
            moves_left(verdict).map(|(left, limit)| (ply as f64 / 2.0, left, limit))
        })
        .collect();
    let last = (review.positions.len().max(2) - 1) as f64 / 2.0;
    let below = if counts.is_empty() { 0 } else { COUNT_HEIGHT };
    let (upper, lower) = root.split_vertically(SIZE.1 - below);
    let mut chart = ChartBuilder::on(&upper)
        .caption(title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(if below == 0 { 38 } else { 20 })
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(if below == 0 { "move" } else { "" })
        .y_desc("White expects, %")
        .x_label_formatter(&whole)
        .draw()?;
    let points: Vec<(f64, f64)> = review
        .positions
        .iter()
        .enumerate()
        .map(|(ply, verdict)| (ply as f64 / 2.0, percent(verdict)))
        .collect();
    chart.draw_series(LineSeries::new([(0.0, 50.0), (last, 50.0)], BLACK.mix(0.4)))?;
    chart.draw_series(LineSeries::new(points.clone(), INK.stroke_width(2)))?;
    let marked = points.iter().skip(1).zip(&review.moves).filter(|(_, m)| m.mark.is_some());
    chart.draw_series(marked.map(|(&point, _)| Circle::new(point, 4, MARKS.filled())))?;
    if !counts.is_empty() {
        let highest = counts.iter().map(|&(_, _, limit)| limit).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(&lower)
            .margin(10)
            .x_label_area_size(38)
            .y_label_area_size(58)
            .build_cartesian_2d(0.0..last, 0.0..highest)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .y_labels(4)
            .x_desc("move")
            .y_desc("moves left")
            .x_label_formatter(&whole)
            .draw()?;
        let bars = counts.iter().map(|&(x, left, _)| {
            Rectangle::new([(x, 0.0), (x + 0.5, left)], COUNT_INK.mix(0.6).filled())
        });
        chart.draw_series(bars)?;
    }
    root.present()
}
