// npm run bench -- --traffic [--alone --cpu --seconds 5 --rounds 3 --connections 32]
//
// Mixed load: 500 sessions with five sets of rights send 20 requests, 80 of 100 of them reads, with keys by Zipf's law. The
// service and a handwritten handler receive it in turn, on the same tables, in the same run.
import { cpus } from "node:os";
import { compareSides, exact, line, printSides, whole } from "../compare.mjs";
import { findPostmaster } from "../cpu.mjs";
import { tool } from "../load.mjs";
import { findFreePort, start, startDatabase, untilAnswers } from "../processes.mjs";
import { createSwitch, withShared } from "../settings.mjs";
import { administrator, rowCount } from "../world.mjs";
import { createLoad } from "./load.mjs";
import { probe } from "./probe.mjs";
import { requests } from "./requests.mjs";
import { createSessions, loadOrders, sessionCount } from "./world.mjs";

export async function benchTraffic({ seconds, rounds, connections, alone, cpu }) {
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
  const byHand = await start("./hand-written.mjs", { DATABASE_URL: databaseUrl });
  await untilAnswers(`${byHand.url}/traffic/order/1`);
  await probe(service.url, secrets);
  const share = await createSwitch(service.url);
  const load = createLoad(service.url, secrets, false, connections);
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const withSharing = (isOn) => ({
    pid: service.pid,
    before: () => share(isOn),
    load: (duration) => withShared(metricsUrl, () => load(duration)),
  });
  const sides = [
    { name: "service", ...withSharing(true) },
    ...(alone ? [{ name: "service, alone", ...withSharing(false) }] : []),
    {
      name: "by hand",
      pid: byHand.pid,
      load: createLoad(byHand.url, secrets, true, connections),
    },
  ];

  console.log(
    `${rowCount.toLocaleString("en")} rows, ${sessionCount} sessions, ${requests.length} requests, ${tool}${connections}, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  const postmaster = cpu ? await findPostmaster(databaseUrl) : undefined;
  const results = await compareSides(sides, {
    base: "by hand",
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
}
