//! Curves as a picture: panels side by side, each curve thin and the mean of those that belong together strong, as SVG.

use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Pixels of a panel, and how many stand in a row.
const PANEL: (u32, u32) = (460, 300);
const IN_A_ROW: usize = 3;
/// Cover of a single curve.
const FAINT: f64 = 0.22;
/// Air over and under the curves, as a share of what they span.
const AIR: f64 = 0.05;
/// Colours of a panel's series, in their order; the same that a strip's left and right have.
const COLOURS: [RGBColor; 4] = [RGBColor(62, 118, 190), RGBColor(224, 136, 52), RGBColor(56, 158, 92), RGBColor(152, 60, 170)];

/// A picture of curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Over all of it.
    pub title: String,
    /// What goes to the right, with its unit.
    pub x: String,
    /// What goes up, with its unit.
    pub y: String,
    /// In rows, all to one scale.
    pub panels: Vec<Panel>,
}

/// One chart of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Over it.
    pub title: String,
    /// In order of their colours.
    pub series: Vec<Series>,
}

/// Curves that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// Points (x, y) in order; the curves of a series have theirs at the same x. What is not finite is left out.
    pub curves: Vec<Vec<(f64, f64)>>,
}

impl Series {
    /// The mean of all curves, as far as any goes.
    #[must_use]
    pub fn mean(&self) -> Vec<(f64, f64)> {
        let longest = self.curves.iter().map(Vec::len).max().unwrap_or(0);
        let at = |index: usize| {
            let there = || self.curves.iter().filter_map(move |curve| curve.get(index)).filter(|point| is_finite(point));
            let count = there().count() as f64;
            let (x, y) = there().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
            (x / count, y / count)
        };
        (0..longest).map(at).filter(is_finite).collect()
    }
}

impl Plot {
    /// Writes the picture to a file.
    ///
    /// # Errors
    /// A file that cannot be written: which, and why.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.svg()?).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The picture.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let columns = self.panels.len().clamp(1, IN_A_ROW);
        let rows = self.panels.len().div_ceil(columns).max(1);
        let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32);
        let page = SVGBackend::with_string(text, size).into_drawing_area();
        page.fill(&WHITE)?;
        let page = page.titled(&self.title, ("sans-serif", 18))?;
        let (x, y) = (self.span(|point| point.0), self.span(|point| point.1));
        for (area, panel) in page.split_evenly((rows, columns)).iter().zip(&self.panels) {
            let mut chart = ChartBuilder::on(area)
                .caption(&panel.title, ("sans-serif", 14))
                .margin(8)
                .x_label_area_size(34)
                .y_label_area_size(44)
                .build_cartesian_2d(x.clone(), y.clone())?;
            chart.configure_mesh().x_desc(&self.x).y_desc(&self.y).light_line_style(TRANSPARENT).draw()?;
            for (series, colour) in panel.series.iter().zip(COLOURS.into_iter().cycle()) {
                for curve in &series.curves {
                    chart.draw_series(LineSeries::new(curve.iter().copied().filter(is_finite), colour.mix(FAINT)))?;
                }
                chart
                    .draw_series(LineSeries::new(series.mean(), colour.stroke_width(2)))?
                    .label(&series.name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
            }
            chart.configure_series_labels().background_style(WHITE.mix(0.8)).draw()?;
        }
        page.present()?;
        Ok(())
    }

    /// From the least to the greatest of all points, with air; 0 to 1 where there are none.
    fn span(&self, of: fn(&(f64, f64)) -> f64) -> Range<f64> {
        let points = self.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.curves).flatten();
        let ends = points.filter(|point| is_finite(point)).map(of).map(|value| (value, value));
        let (least, most) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0.0, 1.0));
        let air = (most - least).max(f64::MIN_POSITIVE) * AIR;
        least - air..most + air
    }
}

fn is_finite(point: &(f64, f64)) -> bool {
    point.0.is_finite() && point.1.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(curves: Vec<Vec<(f64, f64)>>) -> Plot {
        let series = vec![Series { name: "protected".to_owned(), curves }];
        let panel = |title: &str| Panel { title: title.to_owned(), series: series.clone() };
        Plot { title: "heads".to_owned(), x: "s".to_owned(), y: "m".to_owned(), panels: vec![panel("back"), panel("side")] }
    }

    #[test]
    fn every_curve_and_every_mean_is_a_line_of_the_picture() {
        let svg = plot(vec![vec![(0.0, 1.6), (0.5, 1.0), (1.0, 0.1)], vec![(0.0, 1.6), (0.5, 0.8), (1.0, 0.3)]]).svg();
        let svg = svg.expect("a picture");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        // Two curves and a mean a panel, a legend's stroke beside each mean.
        let strokes =
            |colour: &str| svg.matches(&format!("<polyline fill=\"none\" opacity=\"{colour}\" stroke=\"#3E76BE\"")).count();
        assert_eq!((strokes("0.22"), strokes("1")), (4, 4), "{svg}");
        assert!(["heads", "back", "side", "protected"].iter().all(|word| svg.contains(word)), "{svg}");
    }

    #[test]
    fn a_mean_is_of_the_curves_that_go_so_far() {
        let series = plot(vec![vec![(0.0, 2.0), (1.0, 4.0)], vec![(0.0, 0.0)], vec![(0.0, f64::NAN), (1.0, f64::NAN)]]);
        assert_eq!(series.panels[0].series[0].mean(), [(0.0, 1.0), (1.0, 4.0)]);
    }

    #[test]
    fn nothing_to_show_is_a_picture_too() {
        for curves in [vec![], vec![vec![]], vec![vec![(0.0, f64::NAN)]], vec![vec![(1.0, 1.0)]]] {
            assert!(plot(curves).svg().is_ok());
        }
        assert!(Plot::default().svg().is_ok());
    }
}
