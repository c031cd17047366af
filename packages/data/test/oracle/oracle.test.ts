import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, it } from "vitest";
import { anyRequest, type RequestOptions } from "./generate-request.ts";
import { anyWorld } from "./generate-world.ts";
import type { Request, World } from "./model.ts";
import { playWorld } from "./play-world.ts";
import { checkProperty, fuzzTimeoutMs, isFuzzing } from "./property.ts";

const requestsPerWorld = isFuzzing ? 1_500 : 90;
/** Worlds that are played at the same time. */
const worldsAtOnce = isFuzzing ? 2 : 1;

interface Scene {
  readonly world: World;
  readonly requests: readonly Request[];
  readonly copies: number;
}

function anyScene(options: RequestOptions): fc.Arbitrary<Scene> {
  return anyWorld({ secretive: false }).chain((world) =>
    fc.record({
      world: fc.constant(world),
      requests: fc.array(anyRequest(world, options), {
        minLength: requestsPerWorld,
        maxLength: requestsPerWorld,
        size: "max",
      }),
      // Of three copies, two share a statement: the first one of a shape has its own.
      copies: isFuzzing ? fc.constantFrom(1, 1, 1, 3) : fc.constant(3),
    }),
  );
}

/** Plays scenes; returns the number of compared answers once every one has ended. */
async function playAll(scenes: readonly Scene[]): Promise<number> {
  const results = await Promise.allSettled(
    scenes.map(({ world, requests, copies }) => playWorld(world, requests, copies)),
  );
  let compared = 0;
  for (const result of results) {
    if (result.status === "rejected") throw result.reason;
    compared += result.value;
  }
  return compared;
}

describe("the engine gives the same responses as an evaluator in memory", () => {
  it(
    "reads, relations and writes match the evaluator over generated schemas, grants and requests",
    async () => {
      const scenes = fc.array(anyScene({ relations: true, writes: true }), {
        minLength: worldsAtOnce,
        maxLength: worldsAtOnce,
      });
      await checkProperty(scenes, generatedRuns(24), playAll);
    },
    fuzzTimeoutMs,
  );
});
