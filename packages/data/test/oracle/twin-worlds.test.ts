import { isDeepStrictEqual } from "node:util";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, it } from "vitest";
import { describeCase } from "./describe-case.ts";
import { Access } from "./evaluate-access.ts";
import { expectedAggregate } from "./evaluate-aggregate.ts";
import { expectedRead } from "./evaluate-read.ts";
import { expectedWrite, type WriteRequest } from "./evaluate-write.ts";
import { anyRequest } from "./generate-request.ts";
import { anyTwin } from "./generate-twin.ts";
import { anyWorld } from "./generate-world.ts";
import type { Expected, Request, World } from "./model.ts";
import { isRead } from "./play-request.ts";
import { checkProperty, fuzzTimeoutMs, isFuzzing } from "./property.ts";
import { type Answer, TestEnvironment } from "./test-environment.ts";
import { rowsSql, schemaSql } from "./world-sql.ts";

interface Scene {
  readonly worlds: readonly [World, World];
  readonly requests: readonly Request[];
}

const requestsPerWorld = isFuzzing ? 200 : 90;

const anyScene: fc.Arbitrary<Scene> = anyWorld({ secretive: true }).chain((world) =>
  fc.nat({ max: world.users.length - 1 }).chain((user) => {
    const its = world.users[user];
    if (its === undefined) throw new RangeError("No such user");
    return fc.record({
      worlds: anyTwin(world, its).map((twin): [World, World] => [world, twin]),
      requests: fc.array(anyRequest(world, { relations: true, writes: true, user }), {
        minLength: requestsPerWorld,
        maxLength: requestsPerWorld,
        size: "max",
      }),
    });
  }),
);

function expectedOf(world: World, request: Request): Expected {
  const user = world.users[request.user];
  if (user === undefined) throw new RangeError("No such user");
  const access = new Access(world, user);
  if (request.kind === "AGGREGATE") return expectedAggregate(request, access);
  if (request.kind === "LIST" || request.kind === "READ") return expectedRead(request, access);
  return expectedWrite(request, access).expected;
}

/** Everything that a caller receives: status, headers and body, byte for byte. */
async function bytesOf(environment: TestEnvironment, request: Request): Promise<string> {
  const answer: Answer = await environment.ask(request);
  const { status, body, headers = {} } = answer;
  if (!isRead(request) && status < 300) await environment.reset();
  return JSON.stringify({ status, headers, body });
}

/** The expected responses of the writes of a batch, up to the first refusal. */
function expectedOfBatch(world: World, writes: readonly WriteRequest[]): readonly Expected[] {
  const all: Expected[] = [];
  let { rows } = world;
  for (const write of writes) {
    const user = world.users[write.user];
    if (user === undefined) throw new RangeError("No such user");
    const { expected, after } = expectedWrite(write, new Access({ ...world, rows }, user));
    all.push(expected);
    if (expected.kind === "REFUSED") break;
    rows = after;
  }
  return all;
}

/** Batches of one pair of worlds at most, since each costs as much as several requests. */
const batchesMax = 2;

/** Plays writes again after others that succeed, as batches: a write may depend on the earlier ones. */
async function playBatches(
  { worlds, requests }: Scene,
  stages: readonly TestEnvironment[],
): Promise<number> {
  const writes = requests.filter((request): request is WriteRequest => !isRead(request));
  const possible = writes.filter((write) => expectedOf(worlds[0], write).kind === "BODY");
  let played = 0;
  for (const [at, write] of writes.entries()) {
    const [earlier, later] = [possible[at % possible.length], possible[(at + 1) % possible.length]];
    if (earlier === undefined || later === undefined || played === batchesMax) break;
    const batch = [earlier, later, write];
    // The evaluator gives every new row the same identity.
    if (batch.filter(({ kind }) => kind === "CREATE").length > 1) continue;
    const [one, two] = worlds.map((world) => expectedOfBatch(world, batch));
    if (!isDeepStrictEqual(one, two)) continue;
    const answers: string[] = [];
    for (const environment of stages) {
      await environment.resetIdentities();
      const { status, body } = await environment.batch(batch);
      answers.push(JSON.stringify({ status, body }));
      if (status < 300) await environment.reset();
    }
    played += 1;
    if (answers[0] === answers[1]) continue;
    throw describeCase(worlds[0], write, { batch, left: answers[0] }, answers[1]);
  }
  return played;
}

async function play({ worlds, requests }: Scene): Promise<number> {
  const stages = await Promise.all([
    TestEnvironment.open(worlds[0]),
    TestEnvironment.open(worlds[1]),
  ]);
  let played = 0;
  try {
    for (const request of requests) {
      const [one, two] = worlds.map((world) => expectedOf(world, request));
      // A write may legitimately reveal more than its response shows: a check on a hidden field, or a key that exists.
      const isTold = !isDeepStrictEqual(one, two);
      if (isTold && isRead(request)) throw describeCase(worlds[0], request, one, two);
      if (isTold) continue;
      if (request.kind === "CREATE") {
        for (const environment of stages) await environment.resetIdentities();
      }
      const [left, right] = [await bytesOf(stages[0], request), await bytesOf(stages[1], request)];
      played += 1;
      if (left === right) continue;
      const failure = describeCase(worlds[0], request, left, right);
      const twin = `${failure.message}\ntwin:\n${schemaSql(worlds[1])}${rowsSql(worlds[1])}`;
      throw Object.assign(failure, { message: twin, stack: twin });
    }
    played += await playBatches({ worlds, requests }, stages);
  } finally {
    await Promise.all(stages.map((environment) => environment.close()));
  }
  return played;
}

describe("twin worlds", () => {
  it(
    "worlds that differ only in values hidden from a user give that user the same responses, byte for byte",
    async () => {
      await checkProperty(anyScene, generatedRuns(14), play);
    },
    fuzzTimeoutMs,
  );
});
