import { isAsExpected, isSameState } from "./compare-answers.ts";
import { describeCase } from "./describe-case.ts";
import { Access } from "./evaluate-access.ts";
import { expectedAggregate } from "./evaluate-aggregate.ts";
import { expectedRead, limitDefault } from "./evaluate-read.ts";
import { expectedWrite } from "./evaluate-write.ts";
import type { ListRequest, Request, User, World } from "./model.ts";
import type { Answer, TestEnvironment } from "./test-environment.ts";

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

/** Requests a page and the pages at its cursors; returns the number of compared answers. */
async function playList(
  environment: TestEnvironment,
  access: Access,
  request: ListRequest,
  cursor?: string,
): Promise<number> {
  const expected = expectedRead(request, access);
  const { answer, nextCursor } = withoutCursor(
    await ask(environment, access.world, request, cursor),
  );
  const fail = (wanted: unknown) => describeCase(access.world, request, wanted, answer);
  if (!isAsExpected(expected, answer)) throw fail(expected);
  if (expected.kind === "REFUSED") return 1;
  const compared = 1 + (await playRelated(environment, access, request, answer.body, cursor));
  const limit = request.limit ?? limitDefault;
  const next = { ...request, offset: (request.offset ?? 0) + limit };
  const rest = expectedRead(next, access);
  const mayGoOn = lengthOf(expected.body) === limit && limit > 0;
  const mustGoOn = mayGoOn && rest.kind === "BODY" && lengthOf(rest.body) > 0;
  if (nextCursor === undefined ? mustGoOn : !mayGoOn) throw fail(`a cursor: ${mustGoOn}`);
  if (nextCursor === undefined) return compared;
  return compared + (await playList(environment, access, next, nextCursor));
}

/** Requests the next page of related rows, if the response has one list of them. */
async function playRelated(
  environment: TestEnvironment,
  access: Access,
  request: ListRequest,
  body: unknown,
  cursor: string | undefined,
): Promise<number> {
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
    return 1;
  }
  return 0;
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
function withoutCursor({ status, body, headers = {} }: Answer): {
  answer: Answer;
  nextCursor?: string;
} {
  const { meta, ...rest } = (body ?? {}) as { meta?: { nextCursor?: string } };
  if (meta?.nextCursor === undefined) return { answer: { status, body, headers } };
  const { nextCursor, ...others } = meta;
  const kept = Object.keys(others).length === 0 ? rest : { ...rest, meta: others };
  return { answer: { status, body: kept, headers }, nextCursor };
}

const accesses = new WeakMap<World, Map<User, Access>>();

function accessOf(world: World, user: User): Access {
  const known = accesses.get(world) ?? new Map<User, Access>();
  accesses.set(world, known);
  const access = known.get(user) ?? new Access(world, user);
  known.set(user, access);
  return access;
}

/** Whether a request changes nothing. */
export function isRead({ kind }: Request): boolean {
  return kind === "LIST" || kind === "READ" || kind === "AGGREGATE";
}

/** Sends a request and compares its answer, and the rows after it, with the evaluator's; returns the number of compared answers. */
export async function playOne(
  environment: TestEnvironment,
  world: World,
  request: Request,
): Promise<number> {
  const user = world.users[request.user];
  if (user === undefined) throw new RangeError("No such user");
  const access = accessOf(world, user);
  if (request.kind === "READ" || request.kind === "AGGREGATE") {
    const expected =
      request.kind === "READ" ? expectedRead(request, access) : expectedAggregate(request, access);
    const answer = await ask(environment, world, request);
    if (!isAsExpected(expected, answer)) throw describeCase(world, request, expected, answer);
    return 1;
  }
  if (request.kind === "LIST") return playList(environment, access, request);
  if (request.kind === "CREATE") await environment.resetIdentities();
  const { expected, after } = expectedWrite(request, access);
  const answer = await ask(environment, world, request);
  if (!isAsExpected(expected, answer)) throw describeCase(world, request, expected, answer);
  const rows = await environment.rows();
  if (!isSameState(world, after, rows)) throw describeCase(world, request, after, rows);
  if (after !== world.rows) await environment.reset();
  return 1;
}
