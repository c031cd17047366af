import type { Authenticator, Caller } from "@rowhouse/access";
import {
  type ImportEngine,
  type ImportFormat,
  parseAddress,
  parseImportRequest,
  requestOptionsOf,
  requireHonored,
} from "@rowhouse/data";
import { parseIdempotencyKey } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { jsonText, noContent, type ServiceEnvironment } from "@rowhouse/http";
import type { Context, HonoRequest } from "hono";

/**
 * Returns the format of a file in the body, by its `Content-Type`; undefined for any other body.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a file in another encoding, or without a header
 */
export function importFormatOf(headers: Headers): ImportFormat | undefined {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const format = formats.get(type);
  if (format === undefined) return undefined;
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw createError("UNSUPPORTED_MEDIA_TYPE");
  }
  if (!parameters.every((parameter) => accepted.test(parameter))) {
    const message =
      "Content-Type names UTF-8 only (the parameter encoding names another), and a CSV file names its columns in the first line";
    throw createError("UNSUPPORTED_MEDIA_TYPE", { message });
  }
  return format;
}

const formats: ReadonlyMap<string, ImportFormat> = new Map([
  ["text/csv", "CSV"],
  ["application/x-ndjson", "NDJSON"],
]);
const accepted = /^(?:charset="?(?:utf-8|utf8|us-ascii)"?|header="?present"?|)$/;

export interface ImportRoutesDependencies {
  readonly imports: ImportEngine;
  readonly authenticator: Authenticator;
}

/** Creates the rows of the file in the body, which is read at the speed of PostgreSQL. */
export async function answerImport(
  c: Context<ServiceEnvironment>,
  { imports, authenticator }: ImportRoutesDependencies,
  caller: Caller,
  format: ImportFormat,
): Promise<Response> {
  const { raw } = c.req;
  const { requestId } = c.env.edge;
  const request = await parse(c.req, format).catch(async (error: unknown) => {
    // A caller without a valid credential gets no other error.
    await authenticator.authenticate(raw.headers.get("authorization"));
    throw error;
  });
  const { signal } = raw;
  const { status, body, headers } = await imports.run(request, caller, raw.body, signal);
  return body === null ? noContent(requestId, headers) : jsonText(status, body, requestId, headers);
}

async function parse({ raw, path }: HonoRequest, format: ImportFormat) {
  const { headers, url } = raw;
  const { target } = parseAddress(path, "POST");
  requireHonored(headers, { method: "POST", isRow: false });
  const mark = url.indexOf("?");
  return parseImportRequest({
    ...{ target, format, query: mark < 0 ? "" : url.slice(mark + 1) },
    minimal: requestOptionsOf(headers).minimal,
    timeZone: headers.get("x-service-timezone"),
    key: parseIdempotencyKey(headers.get("idempotency-key")),
  });
}
