import { createError } from "@rowhouse/errors";
import type { ImagePreset } from "@rowhouse/settings";
import type { Sharp } from "sharp";
import { openRaster } from "../content/raster.ts";

/** Time for one image; damaged files can keep a decoder busy. */
const seconds = 20;

export interface ConvertedImage {
  readonly content: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Converts an image to a preset: the EXIF orientation is applied, no metadata remains, and a small image is not enlarged.
 * Of an animation the first frame remains. The work runs on libvips' threads.
 *
 * @throws AppError QUERY_INVALID for an image with more than `pixelsMax` pixels, and one that cannot be decoded
 */
export async function convertImage(
  source: Uint8Array,
  preset: ImagePreset,
  pixelsMax: number,
): Promise<ConvertedImage> {
  const { width, height, fit } = preset;
  const image = openRaster(source, { failOn: "error", limitInputPixels: pixelsMax })
    .autoOrient()
    .resize({ width, height, fit, withoutEnlargement: true })
    .timeout({ seconds });
  try {
    const { data, info } = await encode(image, preset).toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  } catch (error) {
    throw notConvertible(pixelsMax, error);
  }
}

function encode(image: Sharp, { format, quality }: ImagePreset): Sharp {
  // A quality makes sharp reduce the colors of a PNG.
  if (format === "png") return image.png();
  // JPEG has no transparency.
  if (format === "jpeg") return image.flatten({ background: "white" }).jpeg({ quality });
  return image.toFormat(format, { quality });
}

/** The error of a file that no preset applies to. */
export function notConvertible(pixelsMax: number, cause?: unknown) {
  return createError("QUERY_INVALID", {
    path: "preset",
    message: `The file is not a PNG, JPEG, GIF, WebP or AVIF image with at most ${pixelsMax} pixels (files.image_pixels_max)`,
    cause,
  });
}
