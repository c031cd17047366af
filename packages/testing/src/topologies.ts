import { hasPgBouncer } from "./servers/pgbouncer-server.ts";
import { hasRedis } from "./servers/redis-server.ts";
import { chosenTier } from "./tier.ts";

/** The processes and servers of a test environment. */
export interface Shape {
  /** Number of processes of each app that runs more than once; empty for one process. */
  readonly twins: 0 | 1 | 2;
  readonly hasServiceLogin: boolean;
  /** Connections of the pooler to the server; undefined without a pooler. */
  readonly poolSize?: number;
  readonly hasRedis: boolean;
}

const one = { twins: 0, hasServiceLogin: false, hasRedis: false } as const;
const four = { ...one, twins: 1, hasRedis: true } as const;

/** Four processes are one of each app. Seven are two gateways, two Data APIs, an Admin API and two workers. */
const shapes = {
  one,
  four,
  // Without Redis, to cover the queue and the replies on PostgreSQL; with the service's login.
  "four-behind-pgbouncer": { ...four, hasServiceLogin: true, poolSize: 5, hasRedis: false },
  seven: { ...four, twins: 2 },
  // Fewer than the pools of all processes together, more than those of the Data APIs.
  "seven-behind-pgbouncer": { ...four, poolSize: 40, twins: 2 },
} as const satisfies Readonly<Record<string, Shape>>;

export type TopologyName = keyof typeof shapes;

export function shapeOf(kind: TopologyName): Shape {
  return shapes[kind];
}

/**
 * Returns the value of `ROWHOUSE_TEST_TOPOLOGY` for all test environments of this run; undefined if each test file
 * chooses.
 *
 * @throws Error for an unknown name
 */
export function chosenTopology(): TopologyName | undefined {
  const name = process.env.ROWHOUSE_TEST_TOPOLOGY;
  if (name === undefined || name === "") return undefined;
  const kinds = Object.keys(shapes) as TopologyName[];
  const found = kinds.find((kind) => kind === name);
  if (found === undefined) {
    throw new Error(`ROWHOUSE_TEST_TOPOLOGY is ${name}; it must be one of ${kinds.join(", ")}`);
  }
  return found;
}

/**
 * Returns the kinds that a test file runs on: the chosen one, or those of the file's own list whose servers this
 * machine has. Warns about missing servers. `npm test` leaves several processes to the other tiers.
 */
export function topologyNames(...names: readonly TopologyName[]): TopologyName[] {
  const chosen = chosenTopology();
  if (chosen !== undefined) return [chosen];
  const isUsual = chosenTier() === "usual";
  const own = names.filter((kind) => !isUsual || shapeOf(kind).twins === 0);
  const needs = own.map(shapeOf);
  const redis = !needs.some((shape) => shape.hasRedis) || hasRedis();
  const pooler = !needs.some((shape) => shape.poolSize !== undefined) || hasPgBouncer();
  return own.filter((kind) => {
    const shape = shapeOf(kind);
    return (redis || !shape.hasRedis) && (pooler || shape.poolSize === undefined);
  });
}

/** Returns whether a topology of several processes was chosen. */
export function isDistributed(): boolean {
  const chosen = chosenTopology();
  return chosen !== undefined && shapeOf(chosen).twins > 0;
}

/**
 * Returns whether tests can inspect the service, because it runs in their process; otherwise warns about the omitted
 * test.
 */
export function isInProcess(reason: string): boolean {
  if (!isDistributed()) return true;
  console.warn(`LEFT OUT of several processes: ${reason}`);
  return false;
}
