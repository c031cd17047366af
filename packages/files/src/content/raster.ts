import sharp, { type Sharp, type SharpOptions } from "sharp";

// libvips also opens SVG, PDF and the formats of ImageMagick, whose decoders read other files or run programs.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`),
});
// Requests rarely convert one image twice, since results are stored.
sharp.cache(false);

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
export function openRaster(bytes: Uint8Array, options: SharpOptions): Sharp {
  return sharp(bytes, options);
}
