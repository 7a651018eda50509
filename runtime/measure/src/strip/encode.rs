//! Pictures of few colours as small PNG files.

use std::collections::BTreeMap;
use tiny_skia::Pixmap;

/// Colours of a picture. The inks and the paper are a dozen, the rest are edges between them: the street's strip has 290 kB in full
/// colour, 58 with 256, 51 with 64, 45 with 32, and they look alike.
const COLOURS: usize = 32;

type Colour = [u8; 3];

/// An opaque picture with some colours that it keeps and the most frequent of the others; each other is taken for the nearest of them.
pub(super) fn png(picture: &Pixmap, kept: &[Colour]) -> Result<Vec<u8>, String> {
    let pixels: Vec<Colour> = picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut counts: BTreeMap<Colour, usize> = BTreeMap::new();
    for pixel in &pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut palette: Vec<Colour> = counts.keys().copied().collect();
    palette.sort_by_key(|colour| (!kept.contains(colour), std::cmp::Reverse(counts[colour])));
    palette.truncate(COLOURS);
    let indices: BTreeMap<Colour, u8> = counts.into_keys().map(|colour| (colour, nearest(&palette, colour))).collect();

    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::Best);
    encoder.set_filter(png::FilterType::NoFilter);
    let image: Vec<u8> = pixels.iter().map(|pixel| indices[pixel]).collect();
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&image)?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn nearest(palette: &[Colour], colour: Colour) -> u8 {
    let far = |other: &Colour| other.iter().zip(colour).map(|(a, b)| i32::from(a.abs_diff(b)).pow(2)).sum::<i32>();
    palette.iter().enumerate().min_by_key(|(_, other)| far(other)).map_or(0, |(index, _)| index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::Color;

    #[test]
    fn a_picture_of_many_colours_keeps_the_most_frequent_ones() {
        let mut picture = Pixmap::new(300, 4).expect("a size");
        picture.fill(Color::from_rgba8(250, 0, 0, 255));
        for (at, pixel) in picture.pixels_mut()[..250].iter_mut().enumerate() {
            *pixel = Color::from_rgba8(0, 200, at as u8, 255).premultiply().to_color_u8();
        }
        let rare = [0, 200, 77];
        let bytes = png(&picture, &[rare]).expect("a picture");
        let mut reader = png::Decoder::new(bytes.as_slice()).read_info().expect("a PNG");
        let palette = reader.info().palette.clone().expect("indexed").into_owned();
        assert_eq!((&palette[..6], palette.len()), (&[0, 200, 77, 250, 0, 0][..], 3 * COLOURS), "what is kept is first");
        let mut image = vec![0; reader.output_buffer_size()];
        reader.next_frame(&mut image).expect("an image");
        assert!(image[250..].iter().all(|index| *index == 1) && image[..250].iter().all(|index| *index != 1) && image[77] == 0);
    }
}
