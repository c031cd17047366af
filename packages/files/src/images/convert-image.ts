import { AppError, createError } from "@rowhouse/errors";
import type { ImagePreset } from "@rowhouse/settings";
import type { Metadata, Sharp } from "sharp";
import { openRaster } from "../content/raster.ts";

/** Time for one image; damaged files can keep a decoder busy. */
const secondsMax = 10;

/** The longest side of a JPEG and a GIF. A PNG may have longer ones; its work grows with its rows, not only with its pixels. */
const sideMax = 65_535;

/** A decoder passes over all pixels once for each scan of a progressive JPEG, and encoders write about ten. */
const usualScans = 16;
const scanMarker = Buffer.from([0xff, 0xda]);

export interface ConvertedImage {
  readonly content: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Converts an image to a preset: the EXIF orientation is applied, no metadata remains, and a small image is not enlarged.
 * Of an animation the first frame remains. The header alone decides whether the image is decoded. The work runs on
 * libvips' threads.
 *
 * @throws AppError QUERY_INVALID for an image whose header exceeds a bound, one that cannot be decoded, and one that
 * takes too long
 */
export async function convertImage(
  source: Uint8Array,
  preset: ImagePreset,
  pixelsMax: number,
): Promise<ConvertedImage> {
  const { width, height, fit } = preset;
  try {
    const header = await openRaster(source, { limitInputPixels: false }).metadata();
    requireBounds(header, source, pixelsMax);
    const image = openRaster(source, { failOn: "error", limitInputPixels: pixelsMax })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: true })
      .timeout({ seconds: secondsMax });
    const { data, info } = await encode(image, preset).toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isLate = error instanceof Error && error.message.startsWith("timeout");
    throw notConvertible(
      isLate ? `takes more than ${secondsMax} seconds to convert` : "cannot be decoded",
      error,
    );
  }
}

function requireBounds(
  { width, height, isProgressive, format }: Metadata,
  source: Uint8Array,
  pixelsMax: number,
): void {
  if (Math.max(width, height) > sideMax) {
    throw notConvertible(`has a side of more than ${sideMax} pixels`);
  }
  const pixels = width * height;
  if (pixels > pixelsMax) {
    throw notConvertible(`has more than ${pixelsMax} pixels (files.image_pixels_max)`);
  }
  if (format !== "jpeg" || !isProgressive) return;
  if (pixels * Math.max(1, scansOf(source) / usualScans) > pixelsMax) {
    throw notConvertible(
      `has more than ${usualScans} scans, each of which counts as pixels (files.image_pixels_max)`,
    );
  }
}

/** Counts the markers that begin a scan. Compressed data cannot contain one. */
function scansOf(source: Uint8Array): number {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let scans = 0;
  for (let at = bytes.indexOf(scanMarker); at !== -1; at = bytes.indexOf(scanMarker, at + 2)) {
    scans += 1;
  }
  return scans;
}

function encode(image: Sharp, { format, quality }: ImagePreset): Sharp {
  // A quality makes sharp reduce the colors of a PNG.
  if (format === "png") return image.png();
  // JPEG has no transparency.
  if (format === "jpeg") return image.flatten({ background: "white" }).jpeg({ quality });
  return image.toFormat(format, { quality });
}

/** The error of a file that no preset applies to. @param fault what the image has or does, as the end of a sentence */
export function notConvertible(fault: string, cause?: unknown): AppError {
  return createError("QUERY_INVALID", {
    path: "preset",
    message: `The file has no preset: the image ${fault}`,
    cause,
  });
}
