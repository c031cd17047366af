import { hasPgBouncer } from "./pgbouncer-server.ts";
import { hasRedis } from "./redis-server.ts";

/** What an installation consists of. */
export interface Shape {
  /** Processes of each app that runs more than once; in one process there are none. */
  readonly twins: 0 | 1 | 2;
  readonly hasServiceLogin: boolean;
  /** Connections of the pooler to the server; without it there is no pooler. */
  readonly poolSize?: number;
  readonly hasRedis: boolean;
}

const one = { twins: 0, hasServiceLogin: false, hasRedis: false } as const;
const four = { ...one, twins: 1, hasRedis: true } as const;

/** Four are one of each app. Seven are two gateways, two Data APIs, an Admin API and two workers. */
const shapes = {
  one,
  four,
  // Without Redis, so that queue and replies show what they need of Postgres; with the login that only serves.
  "four-behind-pgbouncer": { ...four, hasServiceLogin: true, poolSize: 5, hasRedis: false },
  seven: { ...four, twins: 2 },
  // Fewer than the pools of the processes have together, more than those of the Data APIs.
  "seven-behind-pgbouncer": { ...four, poolSize: 40, twins: 2 },
} as const satisfies Readonly<Record<string, Shape>>;

export type ArrangementKind = keyof typeof shapes;

export function shapeOf(kind: ArrangementKind): Shape {
  return shapes[kind];
}

/**
 * What `ROWHOUSE_TEST_ARRANGEMENT` chooses for every installation of this run; undefined where each test file has its own way.
 *
 * @throws Error for a name that is none
 */
export function chosenArrangement(): ArrangementKind | undefined {
  const name = process.env.ROWHOUSE_TEST_ARRANGEMENT;
  if (name === undefined || name === "") return undefined;
  const kinds = Object.keys(shapes) as ArrangementKind[];
  const found = kinds.find((kind) => kind === name);
  if (found === undefined) {
    throw new Error(`ROWHOUSE_TEST_ARRANGEMENT is ${name}, and none of ${kinds.join(", ")}`);
  }
  return found;
}

/**
 * The kinds that a test file runs on: the chosen one, or those of its own that this machine has the servers for. Says aloud
 * which servers are missing.
 */
export function arrangementKinds(...own: readonly ArrangementKind[]): ArrangementKind[] {
  const chosen = chosenArrangement();
  if (chosen !== undefined) return [chosen];
  const needs = own.map(shapeOf);
  const redis = !needs.some((shape) => shape.hasRedis) || hasRedis();
  const pooler = !needs.some((shape) => shape.poolSize !== undefined) || hasPgBouncer();
  return own.filter((kind) => {
    const shape = shapeOf(kind);
    return (redis || !shape.hasRedis) && (pooler || shape.poolSize === undefined);
  });
}

/** Whether an arrangement of several processes was chosen. */
export function isDistributed(): boolean {
  const chosen = chosenArrangement();
  return chosen !== undefined && shapeOf(chosen).twins > 0;
}

/** Whether tests may look into the service, because it is in their own process. Where they may not, says aloud what is left out. */
export function isInProcess(reason: string): boolean {
  if (!isDistributed()) return true;
  console.warn(`LEFT OUT of several processes: ${reason}`);
  return false;
}
