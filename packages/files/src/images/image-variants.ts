import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { busy, type Database } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { UserSemaphore } from "@rowhouse/limits";
import type { ImagePreset, Settings } from "@rowhouse/settings";
import { LRUCache } from "lru-cache";
import { isRaster } from "../content/raster.ts";
import type { Storage } from "../storage/storage.ts";
import { createStorageKey } from "../storage/storage-key.ts";
import { type ConvertedImage, convertImage, notConvertible } from "./convert-image.ts";
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
    const source = await buffer(await storage.get(file.storageKey));
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
