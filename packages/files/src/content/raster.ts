import type { Sharp, SharpOptions } from "sharp";

const rasterTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

/** Returns whether a found media type is an image of pixels, which has a size and can be converted. */
export function isRaster(mediaType: string): boolean {
  return rasterTypes.has(mediaType);
}

/** Opens an image of one of the raster types. Of an animation it reads the first frame only. */
export async function openRaster(bytes: Uint8Array, options: SharpOptions): Promise<Sharp> {
  loading ??= loadSharp();
  return (await loading)(bytes, options);
}

let loading: ReturnType<typeof loadSharp> | undefined;

/** Loads libvips with the first image: it takes more memory than most of the service. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  // libvips also opens SVG, PDF and the formats of ImageMagick, whose decoders read other files or run programs.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`),
  });
  // Requests rarely convert one image twice, since results are stored.
  sharp.cache(false);
  return sharp;
}
