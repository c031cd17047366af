/** A fault of a request: its code, and the JSON pointer of the field that it concerns. */
export interface ApiFault {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

/** A request that failed. `NETWORK` is the code of a request that got no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly faults: readonly ApiFault[];
  /** Seconds to wait, if the service said so. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, faults: readonly ApiFault[], retryAfterS: number | undefined) {
    super(faults[0]?.message ?? `Status ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.faults = faults;
    this.retryAfterS = retryAfterS;
  }

  get code(): string {
    return this.faults[0]?.code ?? "INTERNAL_ERROR";
  }
}

interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Calls an API and returns its JSON; undefined for a response without a body.
 *
 * @throws ApiError for any response but a success
 */
export async function call<Result>(
  method: string,
  path: string,
  { token, body, signal }: CallOptions = {},
): Promise<Result> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, credentials: "omit", referrerPolicy: "no-referrer" };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(path, init);
    text = await answer.text();
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, [{ code: "NETWORK", message: "No response" }], undefined);
  }
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  if (answer.ok) return parsed as Result;
  const wait = Number(answer.headers.get("retry-after") ?? Number.NaN);
  throw new ApiError(answer.status, faultsIn(parsed), Number.isFinite(wait) ? wait : undefined);
}

function faultsIn(parsed: unknown): readonly ApiFault[] {
  const { errors } = (parsed ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? (errors as ApiFault[]) : [];
}
