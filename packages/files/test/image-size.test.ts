import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type ByteRange, imageSizeOf } from "../src/index.ts";

/** A storage with one object, which records the ranges that were read. */
function storageOf(object: Uint8Array) {
  const ranges: (ByteRange | undefined)[] = [];
  const get = (_key: string, _bytes: number, range?: ByteRange) => {
    ranges.push(range);
    return Promise.resolve(Readable.from([object.subarray(range?.start, (range?.end ?? 0) + 1)]));
  };
  return { get, ranges };
}

/** An image of noise, which no format compresses to a few bytes. */
function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "gray",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
}

describe("imageSizeOf", () => {
  it.each([
    ["png", 1800],
    ["jpeg", 1800],
    ["gif", 20],
    ["webp", 1200],
    ["avif", 20],
  ] as const)("finds the size of a %s image in its first bytes", async (format, width) => {
    const bytes = await noise(width, 1300).toFormat(format).toBuffer();
    const storage = storageOf(bytes);
    const size = await imageSizeOf(storage, "key", {
      bytes: bytes.length,
      mediaType: `image/${format}`,
    });
    expect(size).toEqual({ width, height: 1300 });
    expect(storage.ranges).toEqual([{ start: 0, end: format === "webp" ? 16_777_215 : 1_048_575 }]);
  });

  it("applies the orientation of EXIF", async () => {
    const bytes = await noise(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const size = await imageSizeOf(storageOf(bytes), "key", {
      bytes: bytes.length,
      mediaType: "image/jpeg",
    });
    expect(size).toEqual({ width: 20, height: 40 });
  });

  it("reads the size of a pixel bomb without its pixels", async () => {
    const header = Buffer.from(
      "IHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x02\x00\x00\x00",
      "latin1",
    );
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(header));
    const start = Buffer.from("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "latin1");
    const data = Buffer.from("\x00\x00\x00\x01IDAT\x78", "latin1");
    const bytes = Buffer.concat([start, header, checksum, data]);
    const size = await imageSizeOf(storageOf(bytes), "key", {
      bytes: bytes.length,
      mediaType: "image/png",
    });
    expect(size).toEqual({ width: 100_000, height: 100_000 });
  });

  it("returns null for bytes that only begin like an image", async () => {
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n not an image", "latin1");
    expect(
      await imageSizeOf(storageOf(bytes), "key", { bytes: bytes.length, mediaType: "image/png" }),
    ).toBeNull();
  });

  it("never opens a drawing, whatever its type claims", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
    expect(
      await imageSizeOf(storageOf(svg), "key", { bytes: svg.length, mediaType: "image/png" }),
    ).toBeNull();
    const storage = storageOf(svg);
    expect(
      await imageSizeOf(storage, "key", { bytes: svg.length, mediaType: "image/svg+xml" }),
    ).toBeNull();
    expect(storage.ranges).toEqual([]);
  });
});
