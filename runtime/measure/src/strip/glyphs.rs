//! A few letters as lines: enough to label a strip without a font.

/// Strokes of a character on a grid 4 wide and 6 high, y down: points as two digits (x, y), strokes apart by spaces.
const fn strokes(letter: char) -> &'static str {
    match letter {
        'A' => "0602204246 0444",
        'B' => "06003041423344453606 0333",
        'C' => "4130100105163645",
        'D' => "00304145360600",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "2026 1030 1636",
        'J' => "4045361605",
        'K' => "0006 400346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' => "103041453616050110",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        '0' => "103041453616050110",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "0110304142334445361605 1333",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "4130100105163645443303",
        '7' => "004016",
        '8' => "13020110304142334445361605041333",
        '9' => "05163645413010010213 1343",
        '.' => "2526",
        ',' => "2516",
        '-' => "1333",
        '/' => "0640",
        ':' => "2122 2526",
        '+' => "2125 0343",
        _ => "",
    }
}

/// Width of a character with the air behind it, in heights of a letter.
const ADVANCE: f32 = 1.0;

/// The lines of a text that begins at a place: `height` is a letter's, y goes down. Small letters are drawn as capitals, and
/// what has no glyph as a space.
pub fn lines(text: &str, at: (f32, f32), height: f32) -> Vec<Vec<(f32, f32)>> {
    let unit = height / 6.0;
    let mut out = Vec::new();
    for (index, letter) in text.chars().enumerate() {
        let left = at.0 + index as f32 * ADVANCE * height;
        for stroke in strokes(letter.to_ascii_uppercase()).split(' ') {
            let points = stroke.as_bytes().chunks_exact(2).map(|pair| {
                let digit = |byte: u8| f32::from(byte - b'0') * unit;
                (left + digit(pair[0]), at.1 + digit(pair[1]))
            });
            out.push(points.collect());
        }
    }
    out
}

/// Width of a text.
pub fn width(text: &str, height: f32) -> f32 {
    (text.chars().count() as f32 * ADVANCE - ADVANCE / 3.0) * height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_lies_on_its_grid() {
        for letter in (' '..='~').filter(|letter| !letter.is_ascii_lowercase()) {
            for stroke in strokes(letter).split(' ').filter(|stroke| !stroke.is_empty()) {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{letter}: {stroke}");
                let on_grid =
                    stroke.as_bytes().chunks(2).all(|pair| (b'0'..=b'4').contains(&pair[0]) && (b'0'..=b'6').contains(&pair[1]));
                assert!(on_grid, "{letter}: {stroke}");
            }
        }
    }
}
