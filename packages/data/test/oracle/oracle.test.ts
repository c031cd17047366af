import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, it } from "vitest";
import { Decimal } from "./decimal.ts";
import { describeCase } from "./describe-case.ts";
import { Access } from "./evaluate-access.ts";
import { expectedAggregate } from "./evaluate-aggregate.ts";
import { AnyCursor, expectedRead, limitDefault } from "./evaluate-read.ts";
import { expectedWrite } from "./evaluate-write.ts";
import { anyRequest, type RequestOptions } from "./generate-request.ts";
import { anyWorld } from "./generate-world.ts";
import type { Expected, ListRequest, Request, Row, World } from "./model.ts";
import { statusOfCode } from "./model.ts";
import { checkProperty, fuzzTimeoutMs } from "./property.ts";
import { type Case, shrinkCase } from "./shrink-case.ts";
import { type Answer, TestEnvironment } from "./test-environment.ts";
import { types } from "./values.ts";

const requestsPerWorld = 60;
const shrinkMs = 40_000;

function anyScene(options: RequestOptions) {
  return anyWorld({ secretive: false }).chain((world) =>
    fc.record({
      world: fc.constant(world),
      requests: fc.array(anyRequest(world, options), {
        minLength: requestsPerWorld,
        maxLength: requestsPerWorld,
        size: "max",
      }),
    }),
  );
}

function isAsExpected(expected: Expected, answer: Answer): boolean {
  if (expected.kind === "BODY") {
    return answer.status === expected.status && isSameJson(expected.body, answer.body);
  }
  const { errors = [] } = answer.body as { errors?: { code: string; path?: string }[] };
  const paths = new Set(errors.map(({ path = "" }) => path));
  // Every unknown field is reported at once. An impossible value that only PostgreSQL can detect may be reported later.
  const isEach = expected.codes.includes("FIELD_UNKNOWN");
  return (
    errors.length > 0 &&
    errors.every(({ code }) => expected.codes.includes(code)) &&
    answer.status === statusOfCode[errors[0]?.code ?? ""] &&
    (expected.paths === undefined ||
      ([...paths].every((path) => expected.paths?.includes(path)) &&
        (!isEach || paths.size === expected.paths.length))) &&
    // A message of the database must not reach a caller.
    !/violates|constraint|relation "|pkey|fkey|SQLSTATE/.test(JSON.stringify(errors))
  );
}

function isSameJson(expected: unknown, answer: unknown): boolean {
  if (expected instanceof Decimal) return expected.equals(answer);
  if (expected instanceof AnyCursor) return typeof answer === "string" && answer.length > 40;
  if (typeof expected !== "object" || expected === null) return expected === answer;
  if (typeof answer !== "object" || answer === null) return false;
  const [left, right] = [Object.keys(expected), Object.keys(answer)];
  return (
    Array.isArray(expected) === Array.isArray(answer) &&
    left.length === right.length &&
    Object.entries(expected).every(([key, value]) => isSameJson(value, Reflect.get(answer, key)))
  );
}

function isSameState(
  world: World,
  left: ReadonlyMap<string, readonly Row[]>,
  right: ReadonlyMap<string, readonly Row[]>,
): boolean {
  const texts = (rows: ReadonlyMap<string, readonly Row[]>) =>
    world.tables.map((table) =>
      (rows.get(table.name) ?? [])
        .map((row) =>
          JSON.stringify(
            table.columns.map(({ name, type }) => {
              const value = row.get(name) ?? null;
              return value === null
                ? null
                : type === "jsonb"
                  ? sortKeys(types.jsonb.toJson(value))
                  : value;
            }),
          ),
        )
        .sort(),
    );
  return isDeepStrictEqual(texts(left), texts(right));
}

function sortKeys(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(sortKeys);
  return Object.fromEntries(
    Object.entries(json)
      .sort()
      .map(([key, value]) => [key, sortKeys(value)]),
  );
}

async function play(world: World, requests: readonly Request[]): Promise<number> {
  const environment = await TestEnvironment.open(world);
  try {
    for (const request of requests) {
      const failure = await tryOne(environment, world, request);
      if (failure !== undefined) throw await explain({ world, request }, failure);
    }
  } finally {
    await environment.close();
  }
  return requests.length;
}

async function tryOne(
  environment: TestEnvironment,
  world: World,
  request: Request,
): Promise<Error | undefined> {
  try {
    await playOne(environment, world, request);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Returns the failure of the smallest case that fails in the same way. */
async function explain(first: Case, failure: Error): Promise<Error> {
  let last = failure;
  const fails = async ({ world, request }: Case): Promise<boolean> => {
    // The shrinker may produce a world that PostgreSQL rejects; it is not a case.
    const environment = await TestEnvironment.open(world).catch(() => undefined);
    if (environment === undefined) return false;
    try {
      const error = await tryOne(environment, world, request);
      if (error === undefined) return false;
      last = error;
      return true;
    } finally {
      await environment.close();
    }
  };
  await shrinkCase(first, fails, Date.now() + shrinkMs);
  return last;
}

/** Sends a request; an unexpected exception is thrown with its case. */
async function ask(
  environment: TestEnvironment,
  world: World,
  request: Request,
  cursor?: string,
): Promise<Answer> {
  try {
    return await environment.ask(request, cursor);
  } catch (error) {
    throw describeCase(
      world,
      request,
      `an answer${cursor === undefined ? "" : " by cursor"}`,
      error,
    );
  }
}

/** Requests a page and the page at its cursor. */
async function playList(
  environment: TestEnvironment,
  access: Access,
  request: ListRequest,
  cursor?: string,
): Promise<void> {
  const expected = expectedRead(request, access);
  const { answer, nextCursor } = withoutCursor(
    await ask(environment, access.world, request, cursor),
  );
  const fail = (wanted: unknown) => describeCase(access.world, request, wanted, answer);
  if (!isAsExpected(expected, answer)) throw fail(expected);
  if (expected.kind === "REFUSED") return;
  await playRelated(environment, access, request, answer.body, cursor);
  const limit = request.limit ?? limitDefault;
  const next = { ...request, offset: (request.offset ?? 0) + limit };
  const rest = expectedRead(next, access);
  const mayGoOn = lengthOf(expected.body) === limit && limit > 0;
  const mustGoOn = mayGoOn && rest.kind === "BODY" && lengthOf(rest.body) > 0;
  if (nextCursor === undefined ? mustGoOn : !mayGoOn) throw fail(`a cursor: ${mustGoOn}`);
  if (nextCursor !== undefined) await playList(environment, access, next, nextCursor);
}

/** Requests the next page of related rows, if the response has one list of them. */
async function playRelated(
  environment: TestEnvironment,
  access: Access,
  request: ListRequest,
  body: unknown,
  cursor: string | undefined,
): Promise<void> {
  for (const [at, deep] of request.deep.entries()) {
    const lists = deep.isPaged ? listsAt((body as { data: unknown }).data, deep.place) : [];
    const [only] = lists;
    if (lists.length !== 1 || only?.nextCursor === undefined) continue;
    const offset = (deep.offset ?? 0) + (deep.limit ?? 0);
    const next = { ...deep, offset, cursor: only.nextCursor };
    const related = { ...request, deep: request.deep.with(at, next) };
    const expected = expectedRead(related, access);
    const { answer } = withoutCursor(await ask(environment, access.world, related, cursor));
    if (!isAsExpected(expected, answer)) {
      throw describeCase(access.world, related, expected, answer);
    }
    return;
  }
}

/** Returns the pages of related rows at a place of the response. */
function listsAt(json: unknown, place: readonly string[]): { readonly nextCursor?: string }[] {
  if (Array.isArray(json)) return json.flatMap((each) => listsAt(each, place));
  if (typeof json !== "object" || json === null) return [];
  const [first, ...rest] = place;
  const page: unknown = Reflect.get(json, "data");
  if (first !== undefined && Array.isArray(page)) return listsAt(page, place);
  if (first !== undefined) return listsAt(Reflect.get(json, first), rest);
  return [json as { nextCursor?: string }];
}

function lengthOf(body: unknown): number {
  return (body as { data: unknown[] }).data.length;
}

/** A response without its cursor, because only the engine can read it. */
function withoutCursor({ status, body }: Answer): { answer: Answer; nextCursor?: string } {
  const { meta, ...rest } = (body ?? {}) as { meta?: { nextCursor?: string } };
  if (meta?.nextCursor === undefined) return { answer: { status, body } };
  const { nextCursor, ...others } = meta;
  const kept = Object.keys(others).length === 0 ? rest : { ...rest, meta: others };
  return { answer: { status, body: kept }, nextCursor };
}

async function playOne(
  environment: TestEnvironment,
  world: World,
  request: Request,
): Promise<void> {
  const user = world.users[request.user];
  if (user === undefined) throw new RangeError("No such user");
  const access = new Access(world, user);
  if (request.kind === "READ" || request.kind === "AGGREGATE") {
    const expected =
      request.kind === "READ" ? expectedRead(request, access) : expectedAggregate(request, access);
    const answer = await ask(environment, world, request);
    if (!isAsExpected(expected, answer)) throw describeCase(world, request, expected, answer);
    return;
  }
  if (request.kind === "LIST") {
    await playList(environment, access, request);
    return;
  }
  if (request.kind === "CREATE") await environment.resetIdentities();
  const { expected, after } = expectedWrite(request, access);
  const answer = await ask(environment, world, request);
  if (!isAsExpected(expected, answer)) throw describeCase(world, request, expected, answer);
  const rows = await environment.rows();
  if (!isSameState(world, after, rows)) throw describeCase(world, request, after, rows);
  if (after !== world.rows) await environment.reset();
}

describe("the engine gives the same responses as an evaluator in memory", () => {
  it(
    "reads, relations and writes of single rows match the evaluator over generated schemas, grants and requests",
    async () => {
      await checkProperty(anyScene({ relations: true, writes: true }), 36, ({ world, requests }) =>
        play(world, requests),
      );
    },
    fuzzTimeoutMs,
  );
});
