import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readZip, writeZip, ZipError } from "../../src/configuration/zip.ts";

interface RawEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly unixMode?: number;
  readonly flags?: number;
}

/** Writes a zip byte by byte, with names and attributes that a careful writer refuses. */
function rawZip(entries: readonly RawEntry[]): Blob {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, unixMode = 0o100644, flags = 0x800 } of entries) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), shared, path, packed]);
    const head = Buffer.alloc(16);
    head.writeUInt32LE((unixMode << 16) >>> 0, 6);
    head.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from("PK\x01\x02\x14\x03", "latin1");
    directory.push(Buffer.concat([madeBy, shared, head.subarray(0, 14), path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Blob([Buffer.concat([...parts, central, end])]);
}

const text = (name: string, content = "x\n", more: Partial<RawEntry> = {}): RawEntry => ({
  ...{ name, content: Buffer.from(content) },
  ...more,
});
const root = text("rowhouse.yaml", "version: 1\n");

async function faultOf(zip: Blob): Promise<string> {
  const error: unknown = await readZip(zip).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof ZipError)) throw error ?? new Error("It was read");
  return `${error.fault} ${error.path}`.trim();
}

describe("a zip of the configuration", () => {
  it("is read as it was written, whatever the names", async () => {
    const files = {
      "rowhouse.yaml": "version: 1\n",
      "roles/Büro %2F 夜.yaml": "description: 'ü \u{1F697}'\n",
      "views/fleet/a.sql": "select 1\n",
      "workflows/empty.yaml": "",
    };
    expect(await readZip(await writeZip(files))).toEqual(files);
    expect(await readZip(rawZip([root, text("types/a/b.yaml")]))).toEqual({
      "rowhouse.yaml": "version: 1\n",
      "types/a/b.yaml": "x\n",
    });
  });

  it("may have one folder around its files, and other files", async () => {
    const zip = rawZip([
      text("fleet/", ""),
      text("fleet/rowhouse.yaml"),
      text("fleet/tables/a/b.yaml"),
      text("fleet/README.md"),
      text("fleet/.git/config"),
      text("__MACOSX/fleet/._rowhouse.yaml"),
      text("settings.yaml"),
    ]);
    expect(Object.keys(await readZip(zip))).toEqual(["rowhouse.yaml", "tables/a/b.yaml"]);
  });

  const refusals: readonly (readonly [string, Blob, string])[] = [
    ["no zip", new Blob(["version: 1\n"]), "NO_ZIP"],
    ["an empty file", new Blob([]), "NO_ZIP"],
    ["half a zip", rawZip([root]).slice(0, 60), "NO_ZIP"],
    ["no file of a configuration", rawZip([text("README.md")]), "EMPTY"],
    ["an absolute path", rawZip([root, text("/etc/passwd")]), "PATH /etc/passwd"],
    ["a path of Windows", rawZip([root, text("C:/a.yaml")]), "PATH C:/a.yaml"],
    ["a path upward", rawZip([root, text("roles/../../a.yaml")]), "PATH roles/../../a.yaml"],
    ["a backslash", rawZip([root, text("roles\\..\\a.yaml")]), "PATH roles\\..\\a.yaml"],
    [
      "a file twice",
      rawZip([root, text("roles/A.yaml"), text("roles/A.yaml")]),
      "PATH roles/A.yaml",
    ],
    [
      "a link",
      rawZip([root, text("roles/A.yaml", "/etc/passwd", { unixMode: 0o120777 })]),
      "LINK roles/A.yaml",
    ],
    [
      "an encrypted file",
      rawZip([root, text("roles/A.yaml", "x".repeat(40), { flags: 0x801 })]),
      "ENCRYPTED roles/A.yaml",
    ],
    [
      "bytes that are no text",
      rawZip([root, { name: "roles/A.yaml", content: Buffer.from([0x61, 0xff, 0x62]) }]),
      "TEXT roles/A.yaml",
    ],
    [
      "a file that unpacks to more than 50 MB",
      rawZip([root, { name: "roles/A.yaml", content: Buffer.alloc(50_000_000) }]),
      "SIZE roles/A.yaml",
    ],
    [
      "files that unpack to more than 50 MB together",
      rawZip([
        root,
        text("roles/A.yaml"),
        { name: "roles/B.yaml", content: Buffer.alloc(49_999_990) },
      ]),
      "SIZE roles/B.yaml",
    ],
  ];

  it.each(refusals)("is refused with %s", async (_name, zip, fault) => {
    expect(await faultOf(zip)).toBe(fault);
  });

  it("counts the bytes that it unpacks to, whatever it says of them", async () => {
    const zip = rawZip([root, { name: "roles/A.yaml", content: Buffer.alloc(60_000_000) }]);
    const bytes = Buffer.from(await zip.arrayBuffer());
    // The sizes in the head of the entry and in the directory, as small ones.
    for (const at of [bytes.indexOf("roles/A.yaml") - 8, bytes.lastIndexOf("roles/A.yaml") - 22]) {
      expect(bytes.readUInt32LE(at)).toBe(60_000_000);
      bytes.writeUInt32LE(10, at);
    }
    expect(await faultOf(new Blob([bytes]))).toMatch(/^(?:SIZE|NO_ZIP)/);
  });
});
