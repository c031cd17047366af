// npm run bench -- --traffic [--only "order" --alone --cpu --seconds 5 --rounds 3 --connections 32]
//
// Mixed load: 500 sessions with five sets of rights send 20 requests, 80 of 100 of them reads, with keys by Zipf's law. The
// service and two handwritten handlers receive it in turn, on the same tables, in the same run; then each request alone.
import { cpus } from "node:os";
import { compareSides, exact, line, printSides, startHandlers, whole } from "../compare.mjs";
import { findPostmaster } from "../cpu.mjs";
import { tool } from "../load.mjs";
import { findFreePort, start, startDatabase, untilAnswers } from "../processes.mjs";
import { createSwitch, withShared } from "../settings.mjs";
import { administrator, rowCount } from "../world.mjs";
import { createLoad } from "./load.mjs";
import { probe } from "./probe.mjs";
import { requests } from "./requests.mjs";
import { createSessions, loadOrders, sessionCount } from "./world.mjs";

/** For each request alone. */
const secondsOfEach = 1;

export async function benchTraffic({ seconds, rounds, connections, only, alone, cpu }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const metricsPort = String(await findFreePort());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    METRICS_PORT: metricsPort,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  await loadOrders(databaseUrl);
  const secrets = await createSessions(service.url, databaseUrl);
  const handlers = await startHandlers(databaseUrl);
  await probe(service.url, secrets);
  for (const { url } of handlers) await probe(url, secrets, true);
  const share = await createSwitch(service.url);
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  /** The sides for all requests, or for one of them. */
  const sidesOf = (chosen) => {
    const load = createLoad(service.url, secrets, { chosen, connections });
    const own = (name, isOn) => ({
      ...{ name, pid: service.pid, before: () => share(isOn) },
      load: (duration) => withShared(metricsUrl, () => load(duration)),
    });
    return [
      own("service", true),
      ...(alone ? [own("service, alone", false)] : []),
      ...handlers.map((each) => ({
        ...each,
        load: createLoad(each.url, secrets, { chosen, connections, isByHand: true }),
      })),
    ];
  };

  console.log(
    `${rowCount.toLocaleString("en")} rows, ${sessionCount} sessions, ${requests.length} requests, ${tool}${connections}, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  const postmaster = cpu ? await findPostmaster(databaseUrl) : undefined;
  const results = await compareSides(sidesOf(requests), {
    rounds,
    seconds,
    postmaster,
    // 20 requests with the rights of five groups are many statements to compile, and to prepare on each connection.
    warmUpRequests: 20_000,
  });
  printSides("mixed load", results, { hasCpu: cpu });
  const [{ shared, perStatement }] = results;
  console.log("");
  line(["shared a statement", `${whole(shared * 100)} %`]);
  line(["requests of such a one", exact(perStatement)]);
  for (const request of requests) {
    if (only !== undefined && request.name !== only) continue;
    console.log("");
    const each = { rounds, seconds: secondsOfEach, postmaster };
    printSides(request.name, await compareSides(sidesOf([request]), each), { hasCpu: cpu });
  }
}
