import { buffer } from "node:stream/consumers";
import PQueue from "p-queue";
import type { Storage } from "../storage/storage.ts";
import { isRaster, openRaster } from "./raster.ts";

/** The size of an image in pixels, as it is shown. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const mebibyte = 1_048_576;
/** Of most formats, the size is at the beginning. */
const headBytes = mebibyte;
/** The decoder of WebP requires the whole file. */
const webpBytesMax = 16 * mebibyte;

/** Bounds the memory that many uploads at once need. */
const reading = new PQueue({ concurrency: 4 });

/**
 * Returns the size of a stored image after its EXIF orientation is applied. It decodes no pixels and reads at most 1 MiB,
 * of WebP 16 MiB.
 *
 * @param found the size, and the type that was found
 * @returns null if the object is not an image, or its size is not known within these limits
 * @throws as `storage.get` does
 */
export async function imageSizeOf(
  storage: Pick<Storage, "get">,
  key: string,
  { bytes, mediaType }: { readonly bytes: number; readonly mediaType: string },
): Promise<ImageSize | null> {
  if (!isRaster(mediaType)) return null;
  const end = (mediaType === "image/webp" ? webpBytesMax : headBytes) - 1;
  return await reading.add(async () => {
    const head = await buffer(await storage.get(key, bytes, { start: 0, end }));
    return await sizeIn(head);
  });
}

async function sizeIn(head: Uint8Array): Promise<ImageSize | null> {
  const image = await openRaster(head, { failOn: "none", limitInputPixels: false });
  try {
    const { width, height } = (await image.metadata()).autoOrient;
    return { width, height };
  } catch {
    // The bytes are not an image, although they begin like one.
    return null;
  }
}
