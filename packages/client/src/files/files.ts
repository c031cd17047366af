import { faultsOf, isRecord } from "../errors/read-error.ts";
import type { Fault } from "../errors/rowhouse-error.ts";
import { type CallOptions, readBaseUrl } from "../request/client-options.ts";
import { encodeSegment } from "../request/query.ts";
import { clientError, type Outgoing, type Transport } from "../request/transport.ts";
import { FileUpload, type UploadOptions } from "./file-upload.ts";
import type { FileValues } from "./metadata.ts";

export type NewFileOptions = UploadOptions & {
  /** The name of the file; that of a `File` by default. */
  readonly name?: string | undefined;
  /** Values of its row, such as `title`, `folder_id` and `visibility`. */
  readonly values?: FileValues | undefined;
};

export type ReplaceOptions = UploadOptions & {
  /** The tag of the present version, as `download` returns it; a newer version makes the upload fail. */
  readonly ifMatch?: string | undefined;
};

export type LinkOptions = CallOptions & {
  /** A preset of images, such as `thumbnail`. */
  readonly preset?: string | undefined;
  /** From 1 to the setting `files.link_max_lifetime_seconds`; 60 by default. */
  readonly lifetimeSeconds?: number | undefined;
};

/** An address that opens a file without a credential, until it expires or the right to the file ends. */
export type FileLink = { readonly url: string; readonly expiresAt: string };

/** The result for one file of several: its link, or the fault of a file that is missing or that the caller may not read. */
export type FileLinkResult = { readonly id: string } & (
  | (FileLink & { readonly fault?: undefined })
  | { readonly url?: undefined; readonly expiresAt?: undefined; readonly fault: Fault }
);

export type DownloadOptions = CallOptions & {
  readonly preset?: string | undefined;
  /** First and last byte; the file is read to its end without the last. */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | undefined;
};

/** Bytes of files. Their rows are those of the resource `system.files`. */
export class Files {
  readonly #transport: Transport;
  readonly #base: string;

  /** @param url address of the service */
  constructor(transport: Transport, url: string) {
    this.#transport = transport;
    this.#base = readBaseUrl(url);
  }

  /**
   * Uploads a file in chunks. It begins at once.
   *
   * @throws TypeError for a name of a value that a header cannot contain
   */
  upload(content: Blob, options: NewFileOptions = {}): FileUpload {
    const { name = nameOf(content), values, ...upload } = options;
    const metadata = { ...values, filename: name, filetype: typeOf(content) };
    return new FileUpload(this.#transport, content, metadata, upload);
  }

  /** Uploads a new version of a file, whose row keeps its id, name and values. */
  replace(id: string, content: Blob, options: ReplaceOptions = {}): FileUpload {
    const { ifMatch, ...upload } = options;
    const metadata = {
      ...{ file_id: id, if_match: ifMatch },
      ...{ filename: nameOf(content), filetype: typeOf(content) },
    };
    return new FileUpload(this.#transport, content, metadata, upload);
  }

  /** Returns an address for a page or a download, which cannot send a credential. */
  async link(id: string, options: LinkOptions = {}): Promise<FileLink> {
    return this.#askLink(`${pathOf(id)}/link`, {}, options, (data) => this.#readLink(data));
  }

  /** Returns the addresses of up to 200 files by one request, in the order of their ids. */
  async links(ids: readonly string[], options: LinkOptions = {}): Promise<FileLinkResult[]> {
    if (ids.length === 0) return [];
    return this.#askLink("/api/files/links", { ids }, options, (data) => {
      if (!Array.isArray(data) || data.length !== ids.length) return undefined;
      const results = data.map((entry, index) => this.#readResult(ids[index] ?? "", entry));
      return results.every((result) => result !== undefined) ? results : undefined;
    });
  }

  async #askLink<Result>(
    path: string,
    more: object,
    { preset, lifetimeSeconds, signal }: LinkOptions,
    read: (data: unknown) => Result | undefined,
  ): Promise<Result> {
    const request: Outgoing = {
      ...{ method: "POST", path, signal },
      body: { data: { ...more, preset, lifetimeSeconds } },
      repeatable: "ALWAYS",
    };
    const { body, status } = await this.#transport.json(request);
    const result = read(isRecord(body) ? body.data : undefined);
    if (result !== undefined) return result;
    throw clientError(request, status, "RESPONSE_INVALID", "The response has no link");
  }

  #readResult(id: string, entry: unknown): FileLinkResult | undefined {
    const link = this.#readLink(entry);
    if (link !== undefined) return { id, ...link };
    const [fault] = isRecord(entry) ? faultsOf([entry.fault]) : [];
    return fault === undefined ? undefined : { id, fault };
  }

  #readLink(data: unknown): FileLink | undefined {
    if (!isRecord(data)) return undefined;
    const { url, expiresAt } = data;
    if (typeof url !== "string" || typeof expiresAt !== "string") return undefined;
    return { url: url.startsWith("/") ? `${this.#base}${url}` : url, expiresAt };
  }

  /** Returns the response with the bytes as soon as its headers have arrived. */
  download(id: string, options: DownloadOptions = {}): Promise<Response> {
    const { preset, range, signal } = options;
    return this.#transport.stream({
      method: "GET",
      path: pathOf(id),
      query: [["preset", preset]],
      headers: {
        Range: range === undefined ? undefined : `bytes=${range.start}-${range.end ?? ""}`,
      },
      signal,
      repeatable: "ALWAYS",
    });
  }
}

function pathOf(id: string): string {
  return `/api/files/${encodeSegment(id)}`;
}

function nameOf(content: Blob): string {
  return content instanceof File ? content.name : "file";
}

function typeOf(content: Blob): string | undefined {
  return content.type === "" ? undefined : content.type;
}
