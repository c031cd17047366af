import { type Database, migrate } from "@rowhouse/db";
import { type Balancer, hasRedis, startBalancer } from "@rowhouse/testing";
import type { Build } from "./builds.ts";
import type { Member } from "./member.ts";
import { furnish, stockRows } from "./soak-environment.ts";
import { type SteadyLoad, startSteadyLoad } from "./steady-load.ts";
import { openUpgradeEnvironment, type UpgradeEnvironment } from "./upgrade-environment.ts";
import { createPaths } from "./upgrade-paths.ts";
import { openGateway, openSide, type Side } from "./upgrade-sides.ts";
import { createSteps, logsOf } from "./upgrade-steps.ts";

export interface UpgradeReport {
  readonly requests: number;
  /** Violated guarantees. */
  readonly violations: readonly string[];
  readonly logs: string;
}

/**
 * Upgrades from one build to this one and rolls back under load; reports unexpected responses and losses.
 *
 * @throws Error if the old build does not work on its own schema
 */
export async function runUpgrade(old: Build, say: (line: string) => void): Promise<UpgradeReport> {
  const environment = await openUpgradeEnvironment({ hasRedis: hasRedis() });
  const { database } = environment;
  try {
    say(`${old.name} on its own schema (migration ${old.newestMigration})`);
    const before = await openSide("old", environment, old.root);
    const session = await furnish(before.gateway.url());
    await database.query(
      `insert into public.stock (title) select 'Item ' || i from generate_series(1, ${stockRows}) i`,
    );
    const balancer = await startBalancer([before.gateway.url()]);
    environment.beforeClose(() => balancer.close());
    const load = startSteadyLoad(
      { database, session, url: () => balancer.url },
      { callers: 1, restMs: 40 },
    );
    environment.beforeClose(() => load.stop());
    const journey = { say, environment, before, session, balancer, load };
    const { requests, violations, members } = await goThereAndBack(old, journey);
    await load.stop();
    violations.push(...(await load.findLost()), ...(await findFailedRuns(database)));
    const died = members.filter((one) => one.hasDied());
    violations.push(...died.map((one) => `${one.name} has exited`));
    return { requests, violations, logs: logsOf(members) };
  } finally {
    await environment.close();
  }
}

interface Journey {
  readonly say: (line: string) => void;
  readonly environment: UpgradeEnvironment;
  readonly before: Side;
  readonly session: string;
  readonly balancer: Balancer;
  readonly load: SteadyLoad;
}

async function goThereAndBack(
  old: Build,
  { say, environment, before, session, balancer, load }: Journey,
): Promise<{
  readonly requests: number;
  readonly violations: string[];
  readonly members: readonly Member[];
}> {
  const steps = createSteps(load, say);
  await steps.take("old alone");
  if (steps.violations.length > 0) throw new Error(steps.violations.join("\n"));
  await steps.take("migrated while the old build serves", async () => {
    const applied = await migrate(environment.database);
    say(`  ${applied.length} migrations: ${applied.map((name) => name.slice(0, 4)).join(", ")}`);
  });

  const after = await openSide("new", environment);
  const gateways = [before.gateway, after.gateway];
  const crossed: Member[] = [];
  for (const [name, services, build] of [
    ["old, before new services:", after, old.root],
    ["new, before old services:", before, undefined],
  ] as const) {
    const gateway = await openGateway(name, environment, services, build);
    crossed.push(gateway);
    const answer = await fetch(`${gateway.url()}/api/auth/me`, {
      headers: { authorization: `Bearer ${session}` },
    });
    if (answer.ok) gateways.push(gateway);
    else steps.violations.push(`${gateway.name}: ${answer.status} ${await answer.text()}`);
  }
  await steps.take("old and new side by side", async () => {
    for (const one of gateways.slice(1)) await balancer.add(one.url());
  });
  const paths = await createPaths(before, session);
  const walk = async (one: Side, other: Side, ofWorkers?: true) => {
    for (const path of paths.filter((each) => each.ofWorkers === ofWorkers)) {
      await steps.take(`${one.name} → ${other.name}: ${path.name}`, () => path.walk(one, other));
    }
  };
  await walk(before, after);
  await walk(after, before);

  for (const one of [before.dataApi, before.adminApi, before.worker, before.gateway]) {
    await steps.take(`${one.name} restarted on the new schema`, async () => {
      // As a load balancer does; each service is one process here.
      const closed =
        one === before.worker ? [] : gateways.filter((gateway) => gateway !== after.gateway);
      await Promise.all(closed.map((gateway) => balancer.remove(gateway.url())));
      await one.stop();
      await one.start();
      for (const gateway of closed) await balancer.add(gateway.url());
    });
  }
  await walk(before, after);
  await walk(before, after, true);
  await walk(after, before, true);

  await steps.take("new alone", async () => {
    const others = gateways.filter((one) => one !== after.gateway);
    await Promise.all(others.map((one) => balancer.remove(one.url())));
    for (const one of [...others, before.dataApi, before.adminApi, before.worker]) await one.stop();
  });
  await steps.take("back to the old build, on the schema and the data of the new one", async () => {
    for (const one of [before.dataApi, before.adminApi, before.worker, before.gateway]) {
      await one.start();
    }
    await balancer.add(before.gateway.url());
    await balancer.remove(after.gateway.url());
    for (const one of [after.gateway, after.dataApi, after.adminApi, after.worker])
      await one.stop();
  });
  const members = [before, after].flatMap((one) => [
    one.dataApi,
    one.adminApi,
    one.worker,
    one.gateway,
  ]);
  return {
    requests: steps.requests(),
    violations: steps.violations,
    members: [...members, ...crossed],
  };
}

async function findFailedRuns(database: Database): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select r.status || ' run of ' || w.slug || coalesce(' with ' || (r.error ->> 'code'), '') as line
     from system.workflow_runs r join system.workflows w on w.id = r.workflow_id where r.status <> 'SUCCEEDED'`,
  );
  return rows.map(({ line }) => line);
}
