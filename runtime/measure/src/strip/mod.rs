//! A strip: a figure as lines at several moments side by side, from the side and from the front, to see what a table says.
//!
//! The caller steps its world and takes a [`Moment`] after each step; [`draw`] picks moments evenly and writes a PNG. The target is
//! faint, the bodies strong: left limbs blue, right ones orange. Dots are contacts, larger the more weight they bear; the green bar is the
//! support and the diamond the capture point (with an arrow's head where it lies beside the picture).

mod canvas;
mod encode;
mod glyphs;
mod moment;

use canvas::{Canvas, INK, View};
pub use moment::Moment;
use std::path::Path;

/// Air around the figures (m).
const AIR: f32 = 0.12;
/// Least width (m) and height (m) of a picture.
const LEAST_WIDTH: f32 = 0.7;
const LEAST_HEIGHT: f32 = 1.9;
/// Pixels of the head line with the title, of the line with times, and of the edge.
const HEAD: f32 = 40.0;
const TIMES: f32 = 44.0;
const EDGE: f32 = 16.0;
/// Height of letters (pixels).
const TEXT: f32 = 9.0;
/// Pixels a metre at most: past it one figure fills the page.
const LARGEST: f32 = 400.0;

/// What a strip shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StripOptions {
    /// First moment (s).
    pub from: f64,
    /// Last moment (s).
    pub to: f64,
    /// How many moments, at least 2.
    pub moments: usize,
    /// Pixels across, and the most down: a picture is no higher than its figures ask for.
    pub size: (u32, u32),
    /// Written in the head line; may be empty.
    pub title: String,
}

impl Default for StripOptions {
    fn default() -> Self {
        Self { from: 0.0, to: 1.0, moments: 12, size: (1800, 700), title: String::new() }
    }
}

/// Why there is no strip.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StripError {
    /// No moment was kept in the time asked for.
    #[error("no moment lies between {from} and {to} s; the run has {found}")]
    Empty {
        /// First moment (s).
        from: f64,
        /// Last moment (s).
        to: f64,
        /// The time that there is.
        found: String,
    },
    /// A picture of no size, or too large a one.
    #[error("a picture of {0} × {1} pixels; accepted: 200 to 20000 either way")]
    Size(u32, u32),
    /// The picture could not be written.
    #[error("{path}: {why}")]
    Write {
        /// Where to.
        path: String,
        /// As the system says it.
        why: String,
    },
}

/// Draws moments, which are in order of time, and writes them to a PNG file.
///
/// # Errors
/// No moment in the time asked for; a file that cannot be written.
pub fn draw(moments: &[Moment], options: &StripOptions, path: &Path) -> Result<(), StripError> {
    let png = png(moments, options)?;
    std::fs::write(path, png).map_err(|error| StripError::Write { path: path.display().to_string(), why: error.to_string() })
}

/// Draws moments, which are in order of time, as the bytes of a PNG file.
///
/// # Errors
/// No moment in the time asked for; a size that cannot be.
pub fn png(moments: &[Moment], options: &StripOptions) -> Result<Vec<u8>, StripError> {
    let picked = pick(moments, options)?;
    let (width, height) = options.size;
    let too_large = StripError::Size(width, height);
    if !(200..=20_000).contains(&width) || !(200..=20_000).contains(&height) {
        return Err(too_large);
    }
    // Both rows look at the figure as it stood at first: a figure that turns is seen turning.
    let views = [View::from_the_side(picked[0].yaw), View::from_the_front(picked[0].yaw)];
    let layout = Layout::of(&picked, &views, width as f32, height as f32);
    let Some(mut canvas) = Canvas::new(width, layout.height.ceil() as u32) else { return Err(too_large) };
    canvas.text(&options.title, (EDGE, EDGE), TEXT, INK);
    canvas.legend(width as f32 - EDGE, EDGE, TEXT);
    for (row, (view, name)) in views.iter().zip(["SIDE", "FRONT"]).enumerate() {
        canvas.text(name, (EDGE, layout.ground[row] - layout.rise * layout.scale), TEXT, INK);
        for (moment, (left, right)) in picked.iter().zip(&layout.columns) {
            let middle = view.across(moment.pelvis) + 0.5 * (view.reach(moment).0 + view.reach(moment).1);
            let frame = canvas::Frame {
                view,
                scale: layout.scale,
                middle: (0.5 * (left + right), middle),
                ground: (layout.ground[row], moment.ground),
                sides: (*left, *right),
            };
            canvas.moment(moment, &frame);
        }
    }
    for (moment, (left, right)) in picked.iter().zip(&layout.columns) {
        let middle = 0.5 * (left + right);
        let time = format!("{:.2}", moment.time);
        canvas.text(&time, (middle - 0.5 * glyphs::width(&time, TEXT), layout.times), TEXT, INK);
        let phase = moment.phase.replace('_', " ");
        let height = (TEXT * 0.8).min((right - left) / glyphs::width(&phase, 1.0));
        canvas.text(&phase, (middle - 0.5 * glyphs::width(&phase, height), layout.times + TEXT * 1.6), height, INK);
    }
    canvas.png().map_err(|why| StripError::Write { path: "the picture".to_owned(), why })
}

/// Moments at even times.
fn pick<'a>(moments: &'a [Moment], options: &StripOptions) -> Result<Vec<&'a Moment>, StripError> {
    let StripOptions { from, to, .. } = *options;
    // Half a step of room: a time said as 2.1 is not quite 2.1.
    let within: Vec<&Moment> = moments.iter().filter(|moment| moment.time > from - 0.01 && moment.time < to + 0.01).collect();
    let (Some(first), Some(last)) = (within.first(), within.last()) else {
        let found = match (moments.first(), moments.last()) {
            (Some(first), Some(last)) => format!("{:.2} to {:.2} s", first.time, last.time),
            _ => "none".to_owned(),
        };
        return Err(StripError::Empty { from, to, found });
    };
    let count = options.moments.max(2).min(within.len());
    let span = last.time - first.time;
    let wanted = (0..count).map(|index| first.time + span * index as f64 / (count.max(2) - 1) as f64);
    let nearest = wanted.filter_map(|time| within.iter().min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs())));
    Ok(nearest.copied().collect())
}

/// Where the pictures stand.
struct Layout {
    /// Pixels a metre.
    scale: f32,
    /// Metres that the figures rise over the ground.
    rise: f32,
    /// Left and right edge of each moment's column (pixels).
    columns: Vec<(f32, f32)>,
    /// The ground of each row (pixels).
    ground: [f32; 2],
    /// Where the times are written.
    times: f32,
    /// Of the whole picture.
    height: f32,
}

impl Layout {
    /// Columns as wide as their figures lie, all to one scale.
    fn of(moments: &[&Moment], views: &[View; 2], width: f32, height: f32) -> Self {
        let extent = |moment: &Moment, view: &View| {
            let (left, right) = view.reach(moment);
            right - left + 2.0 * AIR
        };
        let wide = |moment: &&Moment| views.iter().map(|view| extent(moment, view)).fold(LEAST_WIDTH, f32::max);
        let widths: Vec<f32> = moments.iter().map(wide).collect();
        let rise = moments.iter().map(|moment| moment.rise() + AIR).fold(LEAST_HEIGHT, f32::max);
        let across = widths.iter().sum::<f32>();
        let row = (height - HEAD - TIMES - EDGE) * 0.5;
        let scale = ((width - 2.0 * EDGE) / across).min((row - EDGE) / (rise + AIR)).min(LARGEST);
        let row = (rise + AIR) * scale + EDGE;
        let slack = (width - 2.0 * EDGE - across * scale) / widths.len() as f32;
        let mut at = EDGE;
        let columns = widths.iter().map(|width| {
            let left = at;
            at += width * scale + slack;
            (left, at)
        });
        let columns = columns.collect();
        Self {
            scale,
            rise,
            columns,
            ground: [HEAD + row - AIR * scale, HEAD + 2.0 * row - AIR * scale],
            times: HEAD + 2.0 * row + EDGE,
            height: HEAD + 2.0 * row + EDGE + TIMES,
        }
    }
}
