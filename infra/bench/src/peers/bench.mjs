// npm run bench -- --peers [--only "list of 25" --cpu --seconds 5 --rounds 3 --connections 32]
//
// The service, a handwritten handler, PostGraphile 4 and Directus 12.4.0 receive the same four requests in turn, on the same
// table, in the same run. The products are installed from npm in a temporary folder.
import { cpus } from "node:os";
import { compareSides, printSides, startHandlers, withChecks, withoutChecks } from "../compare.mjs";
import { findPostmaster } from "../cpu.mjs";
import { measure, tool } from "../load.mjs";
import { start, startDatabase, untilAnswers } from "../processes.mjs";
import { administrator, createShapes, createWorld, loadRows, rowCount } from "../world.mjs";
import { title as directus, startDirectus } from "./directus.mjs";
import { title as postgraphile, startPostgraphile } from "./postgraphile.mjs";

export async function benchPeers({ seconds, rounds, connections, only, cpu }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  await loadRows(databaseUrl);
  const peers = [
    await startIfPossible(postgraphile, () => startPostgraphile(databaseUrl)),
    await startIfPossible(directus, () => startDirectus(databaseUrl)),
  ].filter((peer) => peer !== undefined);
  const own = createShapes(await createWorld(service.url)).filter(
    ({ onlyService }) => !onlyService,
  );
  const handlers = await startHandlers(databaseUrl);
  const shapes = Object.fromEntries(own.map((shape) => [shape.name, shape]));
  const sides = [
    { name: "service", ...service, shapes },
    ...handlers.map((each) => ({ ...each, shapes })),
    ...peers,
  ];

  console.log(
    `${rowCount.toLocaleString("en")} rows, ${tool}${connections}, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  const postmaster = cpu ? await findPostmaster(databaseUrl) : undefined;
  for (const { name } of own) {
    if (only !== undefined && name !== only) continue;
    for (const side of sides) await probe(side, name);
    const loads = sides.map((side) => ({
      ...side,
      load: (duration) => measure(side.url, side.shapes[name], duration, connections),
    }));
    const results = await compareSides(loads, {
      rounds,
      seconds,
      postmaster,
      // A product that answers slowly runs cold code for longer.
      warmUpRequests: 2_000,
    });
    printSides(name, results, { hasCpu: cpu });
  }
  console.log(`
service: a session, a field list and a row filter, proven in each request
${withChecks}: the same, in one statement
${withoutChecks}: nothing is checked
${postgraphile}: no credential, no permissions; each mutation is a transaction
${directus}: a static token and a role with all fields of all rows`);
}

/** Returns the side, or prints in one line why it does not exist. */
async function startIfPossible(title, startIt) {
  try {
    return await startIt();
  } catch (error) {
    const lines = `${error.stderr || error.message}`.split("\n");
    const reason = lines.find((text) => /error/i.test(text)) ?? lines[0];
    console.log(`${title} is left out: ${reason.trim()}`);
    return undefined;
  }
}

/** Sends one request and checks the response, since GraphQL answers errors with 200. */
async function probe({ name: side, url, shapes }, name) {
  const { method, path, headers, body, values } = shapes[name];
  const fill = (text) => text.replaceAll("#", values?.[0] ?? "1");
  const answer = await fetch(url + fill(path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: fill(body) }),
  });
  const text = await answer.text();
  const isComplete = /"(title|code)":\s*"(Item|C-|N-|New)/.test(text);
  if (answer.ok && isComplete && !text.includes('"errors"')) return;
  throw new Error(`${side}, ${name}: ${answer.status} ${text.slice(0, 500)}`);
}
