import { isDeepStrictEqual } from "node:util";
import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import { RowhouseError } from "../../src/index.ts";
import type { Case, ExpectedError, ExpectedRequest, HeaderRule } from "./case.ts";
import type { ReceivedRequest } from "./scripted-server.ts";
import { decoded, encoded } from "./values.ts";

/** What a client did in a case. */
export type Observed = {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  readonly outcome: { readonly value: unknown } | { readonly error: unknown };
  readonly session: string | null;
};

/** Returns one sentence for each difference between a case and what a client did. */
export function differencesOf(expected: Case, observed: Observed): string[] {
  const { requests, url } = observed;
  const count = expected.exchanges.length;
  const differences =
    requests.length === count ? [] : [`${requests.length} requests instead of ${count}`];
  for (const [index, exchange] of expected.exchanges.entries()) {
    const request = requests[index];
    if (request === undefined) break;
    const faults = differencesOfRequest(exchange.request, request, requests, url);
    differences.push(...faults.map((fault) => `request ${index}: ${fault}`));
    const [min, max] = exchange.afterMs ?? [0, Number.POSITIVE_INFINITY];
    const pauseMs = request.atMs - (requests[index - 1]?.atMs ?? request.atMs);
    if (pauseMs < min || pauseMs > max) differences.push(`request ${index} after ${pauseMs} ms`);
  }
  return [...differences, ...differencesOfOutcome(expected, observed)];
}

function differencesOfRequest(
  expected: ExpectedRequest,
  { method, target, headers, body }: ReceivedRequest,
  requests: readonly ReceivedRequest[],
  url: string,
): string[] {
  const [path = "", query = ""] = target.split("?");
  const rules = Object.entries(expected.headers ?? {});
  const type = headers["content-type"] ?? "";
  return [
    ...different("method", method, expected.method),
    ...different("path", segmentsOf(path), segmentsOf(expected.path)),
    ...different("query", pairsOf(query), sorted(decoded(expected.query ?? [], url) as Pair[])),
    ...rules.flatMap(([name, rule]) =>
      differencesOfHeader(name, rule, headers[name.toLowerCase()], requests),
    ),
    ...different("body", bodyOf(body, type), bodyOf(textOf(expected.body, url), type)),
  ];
}

type Pair = readonly [name: string, value: string];

/** A comma separates the parts of a composite key, unless it is encoded. */
function segmentsOf(path: string): string[][] {
  return path.split("/").map((segment) => segment.split(",").map(decodeURIComponent));
}

function pairsOf(query: string): Pair[] {
  const parts = query === "" ? [] : query.split("&");
  return sorted(
    parts.map((part) => {
      const [name = "", value = ""] = part.split("=").map(decodeURIComponent);
      return [name, value] as const;
    }),
  );
}

function sorted(pairs: readonly Pair[]): Pair[] {
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function textOf(body: unknown, url: string): string {
  const text = decoded(body ?? "", url);
  return typeof text === "string" ? text : writeExactJson(text);
}

/** JSON as a value whose numbers have their digits, without the order of its members; another body as it is. */
function bodyOf(text: string, type: string): unknown {
  return type === "application/json" && text !== "" ? parseExactJson(text) : text;
}

function differencesOfHeader(
  name: string,
  rule: HeaderRule,
  value: string | readonly string[] | undefined,
  requests: readonly ReceivedRequest[],
): string[] {
  const text = value === undefined ? null : String(value);
  if (rule === null || typeof rule === "string") return different(name, text, rule);
  if ("$match" in rule) {
    const isMatch = text !== null && new RegExp(rule.$match).test(text);
    return isMatch ? [] : [`${name} is ${text}, which does not match ${rule.$match}`];
  }
  const same = requests[rule.$same]?.headers[name.toLowerCase()];
  return different(name, text, same === undefined ? "a value" : String(same));
}

function differencesOfOutcome(expected: Case, { outcome, session, url }: Observed): string[] {
  const ended =
    expected.session === undefined ? [] : different("session", session, expected.session);
  if ("value" in outcome) {
    const value = encoded(outcome.value, url);
    if (expected.error !== undefined) return [...ended, `no error, but ${JSON.stringify(value)}`];
    return [...ended, ...different("result", value, expected.result ?? null)];
  }
  if (expected.error === undefined) return [...ended, `error ${String(outcome.error)}`];
  return [...ended, ...differencesOfError(expected.error, outcome.error, url)];
}

function differencesOfError(expected: ExpectedError, error: unknown, url: string): string[] {
  const { kind, faultsByPath, ...members } = expected;
  if (kind === "ARGUMENT") {
    return error instanceof TypeError ? [] : [`error ${String(error)} instead of one of arguments`];
  }
  if (!(error instanceof RowhouseError)) return [`error ${String(error)}`];
  const given = error as unknown as Readonly<Record<string, unknown>>;
  const codes = [...error.faultsByPath].map(([path, faults]) => [
    path,
    faults.map(({ code }) => code),
  ]);
  return [
    ...Object.entries(members).flatMap(([name, value]) =>
      different(`error.${name}`, encoded(given[name], url), value),
    ),
    ...(faultsByPath === undefined
      ? []
      : different("error.faultsByPath", Object.fromEntries(codes), faultsByPath)),
  ];
}

function different(what: string, actual: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}
