// Tier: all. One of the longest files.
import { crc32, deflateSync } from "node:zlib";
import type { AppError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createImageVariants,
  type ImageSource,
  type ImageVariant,
  type ImageVariants,
  purgeVariants,
} from "../src/index.ts";
import { storeFile } from "./stored-file.ts";
import { openWatchedStorage, type WatchedStorage } from "./watched-storage.ts";

const settings = settingsOf({ settings: new Map() });
const thumbnail = { preset: "thumbnail", userId: null, settings };

let test: TestDatabase;
let watched: WatchedStorage;
let variants: ImageVariants;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => watched.close());
beforeEach(async () => {
  watched = await openWatchedStorage();
  variants = createImageVariants(test.service, watched.storage);
});

const store = (content: Uint8Array, name = "a") =>
  storeFile({ database: test.database, storage: watched.storage }, content, name);

function picture(width: number, height: number, channels: 3 | 4 = 3) {
  return sharp({ create: { width, height, channels, background: "#c08040" } });
}

function change(preset: object) {
  const [first, ...rest] = settings["files.image_presets"];
  return {
    ...settings,
    "files.image_presets": [{ ...first, ...preset }, ...rest],
  } as typeof settings;
}

async function metadataOf({ storageKey }: ImageVariant) {
  return sharp(await watched.contentOf(storageKey)).metadata();
}

async function problemOf(file: ImageSource, request = thumbnail): Promise<unknown> {
  return (await refusalOf(file, request))?.code;
}

async function refusalOf(file: ImageSource, request = thumbnail): Promise<AppError | undefined> {
  return variants.variantOf(file, request).then(
    () => undefined,
    (error: AppError) => error,
  );
}

/** A PNG whose header states a size, and whose only row is none: a decoder would fail on it. */
function statedSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const bytes = Buffer.alloc(content.length + 8);
    bytes.writeUInt32BE(data.length, 0);
    bytes.set(content, 4);
    bytes.writeUInt32BE(crc32(content), content.length + 4);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("image variants", () => {
  it("converts an image to the preset and stores the result", async () => {
    const file = await store(await picture(1000, 500).png().toBuffer());
    const variant = await variants.variantOf(file, thumbnail);
    const bytes = await watched.contentOf(variant.storageKey);
    expect(variant).toMatchObject({ mediaType: "image/webp", bytes: bytes.byteLength });
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: "webp",
      width: 320,
      height: 160,
    });
    const reads = watched.read.length;
    expect(await variants.variantOf(file, thumbnail)).toEqual(variant);
    expect(watched.read).toHaveLength(reads);
    const other = createImageVariants(test.service, watched.storage);
    expect(await other.variantOf(file, thumbnail)).toEqual(variant);
    expect(await watched.keys()).toHaveLength(2);
  });

  it("makes a variant once for requests at the same time", async () => {
    const file = await store(await picture(900, 900).jpeg().toBuffer());
    const requests = Array.from({ length: 50 }, () => variants.variantOf(file, thumbnail));
    const keys = new Set((await Promise.all(requests)).map(({ storageKey }) => storageKey));
    expect(keys.size).toBe(1);
    expect(watched.read).toEqual([file.storageKey]);
  });

  it("keeps one variant if two processes make it at once", async () => {
    const file = await store(await picture(700, 700).jpeg().toBuffer());
    const processes = Array.from({ length: 4 }, () =>
      createImageVariants(test.service, watched.storage),
    );
    const made = await Promise.all(processes.map((one) => one.variantOf(file, thumbnail)));
    expect(new Set(made.map(({ storageKey }) => storageKey)).size).toBe(1);
    expect(await watched.keys()).toHaveLength(2);
  });

  it("applies the orientation, and removes location and comments", async () => {
    const content = await picture(60, 30)
      .jpeg()
      .withExif({
        IFD0: { ImageDescription: "secret place" },
        IFD3: { GPSLatitude: "59/1 54/1 0/1" },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(content).metadata()).exif).toBeDefined();
    const variant = await variants.variantOf(await store(content), thumbnail);
    const metadata = await metadataOf(variant);
    expect(metadata).toMatchObject({ width: 30, height: 60 });
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(["jpeg", "png", "webp", "avif"] as const)("writes the format %s", async (format) => {
    const file = await store(await picture(200, 100, 4).png().toBuffer());
    const request = {
      ...thumbnail,
      settings: change({ format, fit: "cover", width: 50, height: 50 }),
    };
    const variant = await variants.variantOf(file, request);
    expect(variant.mediaType).toBe(`image/${format}`);
    const { width, height } = await metadataOf(variant);
    expect([width, height]).toEqual([50, 50]);
  });

  it("does not enlarge a small image", async () => {
    const variant = await variants.variantOf(
      await store(await picture(20, 10).gif().toBuffer()),
      thumbnail,
    );
    expect(await metadataOf(variant)).toMatchObject({
      width: 20,
      height: 10,
    });
  });

  it("makes a new variant for a changed preset, and the purge deletes the former one", async () => {
    const file = await store(await picture(400, 400).png().toBuffer());
    const before = await variants.variantOf(file, thumbnail);
    const changed = change({ width: 100, height: 100 });
    const after = await variants.variantOf(file, { ...thumbnail, settings: changed });
    expect(after.storageKey).not.toBe(before.storageKey);
    expect(after.version).not.toBe(before.version);
    await purgeVariants(test.service, changed["files.image_presets"]);
    const rows = await test.database.query(
      "select storage_key from system.file_variants where file_id = $1::uuid",
      [file.id],
    );
    expect(rows).toEqual([{ storage_key: after.storageKey }]);
    const removals = await test.database.query(
      "select 1 from system.object_removals where storage_key = $1::text",
      [before.storageKey],
    );
    expect(removals).toHaveLength(1);
  });

  it("stores no variant of a version that was replaced meanwhile", async () => {
    const file = await store(await picture(400, 400).png().toBuffer());
    await test.database.query("update system.files set sha256 = 'other' where id = $1::uuid", [
      file.id,
    ]);
    expect(await problemOf(file)).toBe("NOT_FOUND");
    expect(await watched.keys()).toEqual([file.storageKey]);
  });

  it.each([
    ["a high one", 1, 49_000_000, "a side of more than 65535 pixels"],
    ["a wide one", 49_000_000, 1, "a side of more than 65535 pixels"],
    ["a large one", 8000, 8000, "more than 50000000 pixels (files.image_pixels_max)"],
  ])(
    "names the bound that the header of an image exceeds: %s",
    async (_case, width, height, bound) => {
      const refusal = await refusalOf(await store(statedSize(width, height)));
      expect(refusal).toMatchObject({ code: "QUERY_INVALID" });
      expect(refusal?.message).toContain(bound);
    },
  );

  it("counts the pixels of each scan of a progressive image", async () => {
    const image = await picture(100, 100).jpeg({ progressive: true }).toBuffer();
    const few = { ...thumbnail, settings: { ...settings, "files.image_pixels_max": 10_000 } };
    expect(await problemOf(await store(image), few)).toBeUndefined();
    const marker = image.lastIndexOf(Buffer.from([0xff, 0xda]));
    const scan = image.subarray(marker, -2);
    const end = image.subarray(-2);
    const repeated = Buffer.concat([image.subarray(0, -2), ...Array(40).fill(scan), end]);
    const refusal = await refusalOf(await store(repeated, "b"), few);
    expect(refusal?.message).toContain("more than 16 scans");
  });

  it("does not try an image again that it refused", async () => {
    const file = await store((await picture(900, 900).jpeg().toBuffer()).subarray(0, 3000));
    const first = await refusalOf(file);
    expect(first?.message).toContain("cannot be decoded");
    expect((await refusalOf(file))?.message).toBe(first?.message);
    expect(watched.read).toEqual([file.storageKey]);
    const other = change({ width: 100, height: 100 });
    await problemOf(file, { ...thumbnail, settings: other });
    expect(watched.read).toHaveLength(2);
  });

  it("shows the first frame of an animation, however many follow", async () => {
    const frames = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        sharp({
          create: {
            width: 500,
            height: 400,
            channels: 3,
            background: { r: index * 6, g: 0, b: 90 },
          },
        })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBeGreaterThan(20);
    const few = { ...settings, "files.image_pixels_max": 200_000 };
    const variant = await variants.variantOf(await store(animation), {
      ...thumbnail,
      settings: few,
    });
    expect(await metadataOf(variant)).toMatchObject({
      width: 320,
      height: 256,
    });
    expect((await metadataOf(variant)).pages ?? 1).toBe(1);
  });

  it.each([
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["text", Buffer.from("hello")],
    ["a broken image", Buffer.from("89504e470d0a1a0a0000000d49484452000000ff000000ff", "hex")],
    ["a cut image", null],
  ])("refuses %s", async (_case, bytes) => {
    const cut = async () => (await picture(900, 900).jpeg().toBuffer()).subarray(0, 3000);
    const file = await store(bytes ?? (await cut()));
    expect(await problemOf(file)).toBe("QUERY_INVALID");
  });

  it("accepts names of presets only", async () => {
    const file = await store(await picture(9, 9).png().toBuffer());
    for (const preset of ["", "w=4000", "thumbnail 320x320 inside webp 80", "__proto__"]) {
      expect(await problemOf(file, { ...thumbnail, preset })).toBe("QUERY_INVALID");
    }
  });

  it("rejects a request that finds 200 others of its caller in the queue", async () => {
    const file = await store(await picture(9, 9).png().toBuffer());
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { storage } = watched;
    const get: typeof storage.get = async (...parts) => {
      await gate;
      return storage.get(...parts);
    };
    variants = createImageVariants(test.service, { ...storage, get });
    const codes: unknown[] = [];
    const requests = Array.from({ length: 230 }, async (_, index) => {
      codes.push(await problemOf({ ...file, sha256: `version ${index}` }));
    });
    await expect.poll(() => codes).toEqual(Array(29).fill("SERVICE_UNAVAILABLE"));
    open();
    await Promise.all(requests);
    expect(codes.slice(29)).toEqual(Array(201).fill("NOT_FOUND"));
  });
});
