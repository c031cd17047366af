import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../src/index.ts";
import { type Call, type Case, readCases } from "./cases/case.ts";
import { differencesOf, type Observed } from "./cases/compare.ts";
import { clientOf, perform } from "./cases/perform.ts";
import { ScriptedServer } from "./cases/scripted-server.ts";
import { decoded } from "./cases/values.ts";

// The cases of `cases/*.json`, which a client in any language can run, through this client and a real HTTP server.
const files = readCases();
const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

async function run({ client: options, before = [], call, exchanges }: Case): Promise<Observed> {
  const { url } = server;
  server.begin(exchanges);
  let client: Client | undefined;
  const outcome = await (async () => {
    const given = decoded({ url: "{url}", ...options }, url) as { readonly url: string };
    client = clientOf(given.url, given);
    for (const each of before) await perform(client, decoded(each, url) as Call);
    return { value: await perform(client, decoded(call, url) as Call) };
  })().catch((error: unknown) => ({ error }));
  return { url, requests: server.received, outcome, session: client?.auth.session ?? null };
}

/** The case with another outcome. */
function falsified(given: Case): Case {
  const { result: _result, error: _error, ...rest } = given;
  return { ...rest, result: { isFalsified: true } };
}

describe.each(files)("%s", (_name, { cases }) => {
  it.each(cases.map((each) => [each.name, each] as const))("%s", async (_name, given) => {
    const observed = await run(given);
    expect(differencesOf(given, observed)).toEqual([]);
    // Each part of a case can fail.
    expect(differencesOf(falsified(given), observed)).toHaveLength(1);
    const none = { ...observed, requests: observed.requests.slice(1) };
    const isSilent = given.exchanges.length === 0;
    expect(differencesOf(given, none).length > 0).toBe(!isSilent);
    const [exchange] = given.exchanges;
    if (exchange === undefined) return;
    const request = { ...exchange.request, path: `${exchange.request.path}/other` };
    const exchanges = [{ ...exchange, request }, ...given.exchanges.slice(1)];
    expect(differencesOf({ ...given, exchanges }, observed)).toHaveLength(1);
  });
});

it("there are at least 200 cases, each with its own name", () => {
  const names = files.flatMap(([file, { cases }]) => cases.map(({ name }) => `${file} ${name}`));
  expect(names.length).toBeGreaterThanOrEqual(200);
  expect(new Set(names).size).toBe(names.length);
});
