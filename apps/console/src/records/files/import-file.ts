import {
  createClient,
  type Fetch,
  type Imported,
  type ImportOptions,
  RowhouseError,
} from "@rowhouse/client";
import { askForSession } from "../../shell/renewal.ts";
import { currentSession } from "../../shell/session.ts";
import { browserZone } from "../../shell/time/time-text.ts";
import { answerViewing } from "../../shell/viewed-as.ts";
import type { Mapping } from "./column-mapping.ts";
import { type FileFault, placeFaults } from "./import-faults.ts";
import type { Source } from "./read-source.ts";
import { rewriteFile } from "./rewrite-file.ts";

/** What an import comes to: written rows, faults of the file, or another failure. */
export type ImportResult =
  | { readonly name: "WRITTEN"; readonly numbers: Imported }
  | { readonly name: "FAULTS"; readonly faults: readonly FileFault[]; readonly count: number }
  | { readonly name: "CANCELED" }
  | { readonly name: "FAILED"; readonly error: unknown };

interface FileImport {
  readonly source: Source;
  readonly mapping: Mapping;
  readonly into: {
    readonly schema: string;
    readonly name: string;
    readonly kind: "table" | "view";
  };
  readonly options?: Omit<ImportOptions, "format" | "signal">;
  readonly signal: AbortSignal;
  /** Receives the part of the file that is sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Sends the rows of a file to the Data API, which writes all of them or none. */
export async function importFile(request: FileImport): Promise<ImportResult> {
  const { source, mapping, into, options, signal, onProgress } = request;
  try {
    const content = await rewriteFile(source, mapping, signal);
    const numbers = await uploadClient(onProgress)
      .from(into)
      .import(content, { ...options, format: source.format, signal });
    return { name: "WRITTEN", numbers };
  } catch (error) {
    if (signal.aborted) return { name: "CANCELED" };
    if (!(error instanceof RowhouseError) || !error.faults.some(isOfFile)) {
      return { name: "FAILED", error };
    }
    return {
      name: "FAULTS",
      faults: await placeFaults(source, error.faults),
      count: error.faultCount,
    };
  }
}

/** Whether a fault is at a place of the file. */
function isOfFile({ path }: { readonly path?: string | undefined }): boolean {
  return path?.startsWith("/") === true;
}

/** Returns a client whose uploads report their progress; `fetch` has none. */
function uploadClient(onProgress: (part: number) => void) {
  const session = currentSession()?.token;
  return createClient({
    url: location.origin,
    timeZone: browserZone(),
    retryAfterMaxSeconds: 2,
    fetch: upload(onProgress),
    onUnauthorized: askForSession,
    ...(session === undefined ? {} : { session }),
  });
}

function upload(onProgress: (part: number) => void): Fetch {
  return (url, init) =>
    answerViewing(url, init) ??
    new Promise((resolve, reject) => {
      const { method = "GET", headers, body, signal } = init;
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) =>
        onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        const { status, responseText } = request;
        const received = new Headers();
        for (const name of ["retry-after", "x-request-id", "content-type"]) {
          const value = request.getResponseHeader(name);
          if (value !== null) received.set(name, value);
        }
        resolve(new Response(status === 204 ? null : responseText, { status, headers: received }));
      };
      request.onerror = () => reject(new TypeError("The upload failed"));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener("abort", () => request.abort());
      if (signal?.aborted === true) reject(signal.reason);
      else request.send(body instanceof ReadableStream ? null : body);
    });
}
