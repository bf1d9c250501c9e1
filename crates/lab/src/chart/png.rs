//! Charts as pixels, with fonts that come inside the program: the same picture on every machine.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{self, ImageHrefResolver, Options, Tree};

/// The most pixels of a picture: 10 000 by 10 000.
const MOST_PIXELS: f64 = 1e8;

/// Noto Sans, regular and bold (SIL Open Font License 1.1).
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The text is not an SVG drawing.
    #[error("this is not an SVG drawing")]
    NotSvg(#[source] usvg::Error),
    /// The picture would have no pixels, or too many.
    #[error("a drawing of {width} by {height} at scale {scale} makes no picture of 1 to 100 million pixels")]
    Size {
        /// The drawing's width.
        width: f32,
        /// The drawing's height.
        height: f32,
        /// What it was to be multiplied by.
        scale: f32,
    },
    /// The pixels could not be written as PNG.
    #[error("cannot write the picture")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Returns a drawing as PNG, `scale` pixels for each of its units.
///
/// Text is set in Noto Sans on every machine. Nothing outside the SVG is read: external pictures are left out.
///
/// # Errors
/// If the text is not SVG, or the picture would be empty or larger than 100 million pixels.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, ChartError> {
    let options = Options {
        fontdb: FONTS.clone(),
        font_family: "Noto Sans".to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(ChartError::NotSvg)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let [across, down] = [width, height].map(|side| (f64::from(side) * f64::from(scale)).ceil());
    let fits = across >= 1.0 && down >= 1.0 && across * down <= MOST_PIXELS;
    let pixels = if fits { Pixmap::new(across as u32, down as u32) } else { None };
    let mut pixels = pixels.ok_or(ChartError::Size { width, height, scale })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|cause| ChartError::Encode(cause.into()))
}
