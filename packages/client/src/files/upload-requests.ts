import { encodeSegment } from "../request/query.ts";
import { type Answer, clientError, type Outgoing, type Transport } from "../request/transport.ts";

/** What the service has of an upload. */
export type UploadState = {
  /** Bytes that are stored. */
  readonly offset: number;
  /** The file, once the upload is complete. */
  readonly fileId: string | undefined;
};

const base = "/api/files/uploads";

/** The requests of tus 1.0. */
export class UploadRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins an upload. It has no signal: one that the service has begun could not be deleted without its id. */
  async create(
    length: number,
    metadata: string,
  ): Promise<UploadState & { readonly uploadId: string }> {
    const headers = { "Upload-Length": String(length), "Upload-Metadata": metadata };
    // A second one after a lost response leaves an empty upload behind, which expires.
    const request = this.#request("POST", base, headers, undefined, "ALWAYS");
    const answer = await this.#transport.json(request);
    // Only the last segment is used, so that no credential follows a header to another place.
    const [, uploadId] = /\/([\w-]+)$/.exec(answer.headers.get("location") ?? "") ?? [];
    if (uploadId === undefined) throw invalid(request, answer);
    return { uploadId, offset: 0, fileId: fileIdOf(answer) };
  }

  /** Returns what the service has of an upload. */
  async find(uploadId: string, signal: AbortSignal): Promise<UploadState> {
    const request = this.#request("HEAD", pathOf(uploadId), {}, signal, "UNLESS_EXECUTED");
    return stateOf(request, await this.#transport.json(request));
  }

  /** Sends bytes from an offset on. */
  async append(
    uploadId: string,
    offset: number,
    chunk: Blob,
    signal: AbortSignal,
  ): Promise<UploadState> {
    const headers = { "Upload-Offset": String(offset) };
    const request: Outgoing = {
      ...this.#request("PATCH", pathOf(uploadId), headers, signal, "UNLESS_EXECUTED"),
      file: { type: "application/offset+octet-stream", content: chunk },
    };
    return stateOf(request, await this.#transport.json(request));
  }

  /** Deletes an upload, if it was begun. It expires even if the request fails. */
  async remove(uploadId: string | undefined): Promise<void> {
    if (uploadId === undefined) return;
    const request = this.#request("DELETE", pathOf(uploadId), {}, undefined, "ALWAYS");
    await this.#transport.json(request).catch(() => {});
  }

  #request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    repeatable: Outgoing["repeatable"],
  ): Outgoing {
    return { method, path, headers: { "Tus-Resumable": "1.0.0", ...headers }, signal, repeatable };
  }
}

function pathOf(uploadId: string): string {
  return `${base}/${encodeSegment(uploadId)}`;
}

function stateOf(request: Outgoing, answer: Answer): UploadState {
  const offset = answer.headers.get("upload-offset") ?? "";
  if (!/^\d{1,15}$/.test(offset)) throw invalid(request, answer);
  return { offset: Number(offset), fileId: fileIdOf(answer) };
}

function fileIdOf({ headers }: Answer): string | undefined {
  return headers.get("rowhouse-file") ?? undefined;
}

function invalid(request: Outgoing, { status }: Answer): Error {
  return clientError(request, status, "RESPONSE_INVALID", "The response is not one of an upload");
}
