import type { AdminOperations } from "@rowhouse/client";
import { isConfigurationPath } from "@rowhouse/wire";

/** Texts by path, with `/` between folders. */
export type Files = AdminOperations["GET /configuration"]["answer"]["data"]["files"];

/** Why a zip is not read. */
export type ZipFault = "NO_ZIP" | "ENCRYPTED" | "PATH" | "LINK" | "SIZE" | "TEXT" | "EMPTY";

/** A zip that is not read, and the entry because of which. */
export class ZipError extends Error {
  override readonly name = "ZipError";
  readonly fault: ZipFault;
  readonly path: string;

  constructor(fault: ZipFault, path = "") {
    super(`${fault} ${path}`);
    this.fault = fault;
    this.path = path;
  }
}

/** Bytes of all files together, unpacked. */
export const unpackedBytesMax = 50_000_000;
const entriesMax = 20_000;

/** What systems add to folders. */
const unwanted = /(?:^|\/)(?:\.|__MACOSX\/)/;

/** The library is loaded with the first zip. It uses the compression of the browser, and no worker. */
async function loadLibrary() {
  const library = await import("@zip.js/zip.js/index-native.js");
  library.configure({ useWebWorkers: false });
  return library;
}

/** Returns a zip with files. */
export async function writeZip(files: Files): Promise<Blob> {
  const { ZipWriter, BlobWriter, TextReader } = await loadLibrary();
  const writer = new ZipWriter(new BlobWriter("application/zip"));
  for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text));
  return writer.close();
}

/**
 * Reads the files of a configuration. Other files are left out; one folder around all of them is no part of the paths.
 *
 * @throws ZipError for a zip that is none, has a link, a path out of its folder, or too many bytes
 */
export async function readZip(zip: Blob): Promise<Files> {
  const { ZipReader, BlobReader, ERR_UNSAFE_FILENAME } = await loadLibrary();
  const reader = new ZipReader(new BlobReader(zip), {
    checkOverlappingEntry: true,
    filenameValidation: "strict",
  });
  try {
    const texts = new Map<string, string>();
    let left = unpackedBytesMax;
    let entries = 0;
    for await (const entry of reader.getEntriesGenerator()) {
      const { filename: path } = entry;
      entries += 1;
      if (entries > entriesMax) throw new ZipError("SIZE");
      if (texts.has(path)) throw new ZipError("PATH", path);
      if (entry.symlink === true) throw new ZipError("LINK", path);
      if (entry.encrypted) throw new ZipError("ENCRYPTED", path);
      if (entry.directory || unwanted.test(path)) continue;
      const bytes = new Bytes(left, path);
      await entry.getData(bytes.stream);
      left -= bytes.size;
      texts.set(path, bytes.text());
    }
    const files = withoutFolder(texts);
    if (Object.keys(files).length === 0) throw new ZipError("EMPTY");
    return files;
  } catch (error) {
    if (error instanceof ZipError) throw error;
    const { message, filename } = error as Error & { readonly filename?: string };
    throw message === ERR_UNSAFE_FILENAME ? new ZipError("PATH", filename) : new ZipError("NO_ZIP");
  } finally {
    await reader.close().catch(() => {});
  }
}

function withoutFolder(texts: ReadonlyMap<string, string>): Files {
  const root = [...texts.keys()].find((path) => /^(?:[^/]+\/)?rowhouse\.yaml$/.test(path));
  const folder = root?.replace(/rowhouse\.yaml$/, "") ?? "";
  const inside = [...texts].flatMap(([path, text]): [string, string][] =>
    path.startsWith(folder) ? [[path.slice(folder.length), text]] : [],
  );
  return Object.fromEntries(inside.filter(([path]) => isConfigurationPath(path)));
}

/** Takes the bytes of an entry, up to a number. */
class Bytes {
  size = 0;
  readonly stream: WritableStream<Uint8Array>;
  readonly #chunks: Uint8Array[] = [];
  readonly #path: string;

  constructor(max: number, path: string) {
    this.#path = path;
    this.stream = new WritableStream({
      write: (chunk) => {
        this.size += chunk.byteLength;
        if (this.size > max) throw new ZipError("SIZE", path);
        this.#chunks.push(chunk);
      },
    });
  }

  text(): string {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      return [
        ...this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })),
        decoder.decode(),
      ].join("");
    } catch {
      throw new ZipError("TEXT", this.#path);
    }
  }
}
