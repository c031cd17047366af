import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { busy, type Database } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { UserSemaphore } from "@rowhouse/limits";
import type { ImagePreset, Settings } from "@rowhouse/settings";
import { LRUCache } from "lru-cache";
import type { Metadata, Sharp } from "sharp";
import { isRaster, openRaster } from "../content/raster.ts";
import type { Storage } from "../storage/storage.ts";
import { createStorageKey } from "../storage/storage-key.ts";
import { presetKeyOf, presetOf } from "./preset-of.ts";
import { findVariant, insertVariant, type VariantKey, type VariantRow } from "./stored-variants.ts";

/** The largest image that is converted; a conversion holds it in memory. */
const sourceBytesMax = 67_108_864;

/** Conversions at once. Each uses one of the four threads that Node.js also needs for files and passwords. */
const conversionsMax = 2;

/** How many images without presets a process remembers, and for how long, in milliseconds. */
const refused = { max: 10_000, ttl: 600_000 };

/** An image in the form of a preset, stored as an object. */
export interface ImageVariant {
  readonly storageKey: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Identifies the bytes, as the digest of a file does. */
  readonly version: string;
}

/** The file of a variant. */
export interface ImageSource {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly storageKey: string;
}

export interface VariantRequest {
  /** The name of a preset. */
  readonly preset: string;
  /** The caller; null for a public file without a credential. */
  readonly userId: string | null;
  readonly settings: Settings;
}

export interface ImageVariants {
  /**
   * Returns the variant of a file that the caller may read. The first request makes and stores it, requests that arrive
   * meanwhile share the result, and later ones find it. For ten minutes an image that cannot be converted is refused
   * without another attempt.
   *
   * @throws AppError QUERY_INVALID for an unknown preset or a file without presets; SERVICE_UNAVAILABLE if too many
   * conversions wait; NOT_FOUND if the file was replaced or deleted meanwhile
   */
  variantOf(file: ImageSource, request: VariantRequest): Promise<ImageVariant>;
}

/** Creates the variants of one process. */
export function createImageVariants(
  database: Pick<Database, "orm" | "query">,
  storage: Storage,
): ImageVariants {
  const permits = new UserSemaphore({
    permits: conversionsMax,
    perUser: conversionsMax,
    waitingMax: 200,
    waitMs: 15_000,
    busy,
  });
  const inProgress = new Map<string, Promise<VariantRow>>();
  /** By the digest of the image, its bound, and the preset: one preset may take too long and another not. */
  const refusals = new LRUCache<string, AppError>(refused);

  const store = async (
    file: ImageSource,
    preset: ImagePreset,
    image: ConvertedImage,
  ): Promise<VariantRow> => {
    const { content, width, height } = image;
    const row: VariantRow = {
      ...{ fileId: file.id, sha256: file.sha256, width, height },
      preset: presetKeyOf(preset),
      storageKey: createStorageKey(),
      mediaType: `image/${preset.format}`,
      bytes: content.byteLength,
    };
    await storage.put(row.storageKey, once(content));
    if (await insertVariant(database, row)) return row;
    await storage.delete(row.storageKey);
    const other = await findVariant(database, row);
    if (other === undefined) throw createError("NOT_FOUND");
    return other;
  };

  const make = async (
    file: ImageSource,
    preset: ImagePreset,
    pixelsMax: number,
  ): Promise<VariantRow> => {
    if (!isRaster(file.mediaType)) throw notConvertible("is not a PNG, JPEG, GIF, WebP or AVIF");
    if (file.bytes > sourceBytesMax) {
      throw notConvertible(`has more than ${sourceBytesMax} bytes`);
    }
    const key = `${file.sha256} ${pixelsMax} ${presetKeyOf(preset)}`;
    const refusal = refusals.get(key);
    if (refusal !== undefined) throw refusal;
    const source = await buffer(await storage.get(file.storageKey, file.bytes));
    const image = await convertImage(source, preset, pixelsMax).catch((error: unknown) => {
      if (error instanceof AppError) refusals.set(key, error);
      throw error;
    });
    return store(file, preset, image);
  };

  const findOrMake = async (
    key: VariantKey,
    userId: string | null,
    work: () => Promise<VariantRow>,
  ): Promise<VariantRow> =>
    (await findVariant(database, key)) ?? permits.within(userId ?? "public", work);

  return {
    variantOf: async (file, { preset: name, userId, settings }) => {
      const preset = presetOf(settings["files.image_presets"], name);
      const key = { fileId: file.id, preset: presetKeyOf(preset), sha256: file.sha256 };
      const flight = Object.values(key).join("/");
      let making = inProgress.get(flight);
      if (making === undefined) {
        making = findOrMake(key, userId, () =>
          make(file, preset, settings["files.image_pixels_max"]),
        ).finally(() => inProgress.delete(flight));
        inProgress.set(flight, making);
      }
      return toVariant(await making);
    },
  };
}

function toVariant({ storageKey, mediaType, bytes, sha256, preset }: VariantRow): ImageVariant {
  const definition = createHash("sha256").update(preset).digest("hex").slice(0, 16);
  return { storageKey, mediaType, bytes, version: `${sha256}-${definition}` };
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Time for one image; damaged files can keep a decoder busy. */
const secondsMax = 10;

/** The longest side of a JPEG and a GIF. A PNG may have longer ones; its work grows with its rows, not only with its pixels. */
const sideMax = 65_535;

/** A decoder passes over all pixels once for each scan of a progressive JPEG, and encoders write about ten. */
const usualScans = 16;
const scanMarker = Buffer.from([0xff, 0xda]);

interface ConvertedImage {
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
async function convertImage(
  source: Uint8Array,
  preset: ImagePreset,
  pixelsMax: number,
): Promise<ConvertedImage> {
  const { width, height, fit } = preset;
  try {
    const opened = await openRaster(source, { limitInputPixels: false });
    const header = await opened.metadata();
    requireBounds(header, source, pixelsMax);
    const checked = await openRaster(source, { failOn: "error", limitInputPixels: pixelsMax });
    const image = checked
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
function notConvertible(fault: string, cause?: unknown): AppError {
  return createError("QUERY_INVALID", {
    path: "preset",
    message: `The file has no preset: the image ${fault}`,
    cause,
  });
}
