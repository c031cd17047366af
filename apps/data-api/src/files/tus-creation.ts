import { isUtf8 } from "node:buffer";
import { createFault, type ErrorCode, type Fault } from "@rowhouse/errors";
import { isAllowedType } from "@rowhouse/files";
import type { Settings } from "@rowhouse/settings";
import { isStorableText } from "@rowhouse/wire";

/** What a request says of the upload that it begins. */
export interface TusCreation {
  /** By key; null for a key without a value. */
  readonly metadata: Readonly<Record<string, string | null>>;
  /** In bytes; undefined if the header has none. */
  readonly length: number | undefined;
  readonly faults: readonly Fault[];
}

const header = "Upload-Metadata";
const keyForm = /^[!-+\--~]+$/;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const lengthForm = /^[0-9]{1,15}$/;

/** Reads the headers of a request that begins an upload, and names every fault: the library stops at the first, without its key. */
export function readCreation(headers: Headers): TusCreation {
  const faults: Fault[] = [];
  const metadata: Record<string, string | null> = {};
  const text = headers.get(header)?.trim() ?? "";
  for (const pair of text === "" ? [] : text.split(",")) {
    const [key = "", encoded, ...more] = pair.trim().split(" ");
    const fault = faultOfPair(key, encoded, more.length > 0 || Object.hasOwn(metadata, key));
    if (fault !== undefined) faults.push(metadataFault("BODY_INVALID", key, fault));
    metadata[key] = encoded ? Buffer.from(encoded, "base64").toString() : null;
  }
  const length = headers.get("upload-length");
  if (length === null || !lengthForm.test(length)) {
    const message = "Upload-Length must be the number of bytes";
    faults.push(createFault("BODY_INVALID", { path: "Upload-Length", message }));
    return { metadata, length: undefined, faults };
  }
  return { metadata, length: Number(length), faults };
}

function faultOfPair(key: string, encoded = "", isRepeated: boolean): string | undefined {
  if (!keyForm.test(key)) return "A key has printable ASCII characters without spaces and commas";
  if (isRepeated) return "A key has one value, and occurs once";
  if (!base64Form.test(encoded)) return "The value must be base64";
  const bytes = Buffer.from(encoded, "base64");
  if (!isUtf8(bytes)) return "Text must be UTF-8";
  return isStorableText(bytes.toString())
    ? undefined
    : "Text must not contain NUL or a lone surrogate";
}

/** A fault of one key of the metadata. */
export function metadataFault(code: ErrorCode, key: string, message: string): Fault {
  return createFault(code, { path: header, message: `${key}: ${message}`, details: { key } });
}

const typeForm = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+[ \t]*(?:;.*)?$/i;
/** Types by which browsers name files of other types: unknown ones, and CSV under Windows. */
const vagueTypes: ReadonlySet<string> = new Set([
  "application/octet-stream",
  "application/vnd.ms-excel",
]);

/** Returns the fault of the type that a sender claims; undefined without one. The bytes decide at the end. */
export function faultOfType(
  claimed: string | null | undefined,
  settings: Settings,
): Fault | undefined {
  if (claimed == null || claimed === "") return undefined;
  if (!typeForm.test(claimed)) {
    const message = "The type must be a media type such as text/plain";
    return metadataFault("BODY_INVALID", "filetype", message);
  }
  const type = claimed.replace(/[ \t]*;.*$/, "").toLowerCase();
  if (vagueTypes.has(type) || isAllowedType(type, settings["files.allowed_types"]))
    return undefined;
  const message = `Files of the type ${type} are not allowed (files.allowed_types)`;
  return metadataFault("UNSUPPORTED_MEDIA_TYPE", "filetype", message);
}
