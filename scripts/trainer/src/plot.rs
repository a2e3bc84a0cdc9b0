//! The learning curve as a picture.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;

use crate::error::TrainerError;
use crate::run::Row;

const SIZE: (u32, u32) = (900, 540);

/// Draws training and held-out loss over the positions visited.
///
/// # Errors
/// If the file cannot be written.
pub fn learning_curve(path: &Path, title: &str, rows: &[Row]) -> Result<(), TrainerError> {
    draw(path, title, rows)
        .map_err(|fault| TrainerError::Plot { path: path.to_owned(), fault: fault.to_string() })
}

fn draw(
    path: &Path,
    title: &str,
    rows: &[Row],
) -> Result<(), DrawingAreaErrorKind<impl std::error::Error + Send + Sync + use<>>> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (across, up) = ranges(rows);
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("positions visited, millions")
        .y_desc("mean squared error of the expected score")
        .y_label_formatter(&|loss| format!("{loss:.5}"))
        .draw()?;
    let mut line = |name: &str, color: RGBColor, loss: Loss| {
        let points: Vec<_> = shown(rows, loss).map(|(row, loss)| (millions(row), loss)).collect();
        let dots = points.iter().map(|&point| Circle::new(point, 2, color.filled()));
        chart.draw_series(dots)?;
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
        Ok(())
    };
    line("training games", RGBColor(31, 119, 180), TRAINING)?;
    line("held-out games", RGBColor(214, 39, 40), HELD_OUT)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    root.present()
}

type Loss = fn(&Row) -> f64;
const TRAINING: Loss = |row| row.training;
const HELD_OUT: Loss = |row| row.held_out;

/// The losses to draw. At first the loss is so high that nothing could be seen of the rest: the
/// first superbatches are left out where they lie far above the end.
fn shown(rows: &[Row], loss: Loss) -> impl Iterator<Item = (&Row, f64)> {
    let ceiling = rows.last().map_or(0.0, |row| 1.5 * row.training.max(row.held_out));
    let too_high = move |&(_, loss): &(&Row, f64)| loss > ceiling;
    rows.iter().map(move |row| (row, loss(row))).skip_while(too_high)
}

fn millions(row: &Row) -> f64 {
    row.visited as f64 / 1e6
}

/// What the axes must show; the losses with some room above and below.
fn ranges(rows: &[Row]) -> (Range<f64>, Range<f64>) {
    let last = rows.last().map_or(1.0, millions);
    let losses = || shown(rows, TRAINING).chain(shown(rows, HELD_OUT)).map(|(_, loss)| loss);
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return (0.0..last, 0.0..1.0);
    }
    let room = ((high - low) * 0.05).max(low * 1e-3).max(1e-9);
    (0.0..last, low - room..high + room)
}

/// The title of a curve.
pub fn title(variant: impl Display, hidden: usize, records: usize) -> String {
    format!("{variant}, {hidden} hidden units, {records} records")
}
