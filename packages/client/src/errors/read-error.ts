import { parseJson } from "../json/read-json.ts";
import { type Fault, RowhouseError } from "./rowhouse-error.ts";

type Place = { readonly method: string; readonly path: string };

/** Returns the error of a response with an error's status. A body of another program, such as a proxy's page, is not shown. */
export async function readError(place: Place, response: Response): Promise<RowhouseError> {
  const { status } = response;
  const retryAfterSeconds = readRetryAfter(response.headers.get("retry-after"), Date.now());
  const body = parsed(await response.text().catch(() => ""));
  const [first, ...more] = isRecord(body) ? faultsOf(body.errors) : [];
  if (first === undefined || !isRecord(body)) {
    const message = `The response has status ${status} and is not an error of the service`;
    const faults = [{ code: "RESPONSE_INVALID", message }] as const;
    const requestId = response.headers.get("x-request-id");
    return new RowhouseError({ ...place, status, faults, meta: { requestId }, retryAfterSeconds });
  }
  const meta = isRecord(body.meta) ? body.meta : {};
  return new RowhouseError({ ...place, status, faults: [first, ...more], meta, retryAfterSeconds });
}

/**
 * Reads a `Retry-After` header, which has seconds or a date.
 *
 * @returns seconds from now, at least 0; undefined without a valid header
 */
function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // Date.parse reads a date into almost any text, such as "1.5".
  const at = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}

/** Returns whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the faults of an answer; those in another form are left out. */
export function faultsOf(errors: unknown): Fault[] {
  if (!Array.isArray(errors)) return [];
  return errors.filter(isRecord).flatMap(({ code, message, path, details }) => {
    if (typeof code !== "string" || typeof message !== "string") return [];
    const at = typeof path === "string" ? { path } : {};
    return [{ code, message, ...at, ...(isRecord(details) ? { details } : {}) }];
  });
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
