// The service's setting that the comparisons change, and the metric of it.
import { administer, administrator, signIn } from "./world.mjs";

/** Returns a function that switches shared statements on or off, and returns whether that is a change. */
export async function createSwitch(url) {
  const call = administer(url, await signIn(url, administrator));
  let isOn = true;
  return async (value) => {
    if (value === isOn) return false;
    await call("PATCH", "/settings", { "data.share_statements": value });
    isOn = value;
    return true;
  };
}

/** Returns how many statements have answered several requests since the start, and how many requests they have answered. */
async function readShared(metricsUrl) {
  const text = await (await fetch(metricsUrl)).text();
  const read = (suffix) => {
    const found = new RegExp(`^rowhouse_data_shared_statement_requests_${suffix} (\\d+)`, "m");
    return Number(found.exec(text)?.[1] ?? 0);
  };
  return { requests: read("sum"), statements: read("count") };
}

/** Runs a load and returns its result with the share of its requests that shared a statement. */
export async function withShared(metricsUrl, load) {
  const before = await readShared(metricsUrl);
  const result = await load();
  const after = await readShared(metricsUrl);
  const requests = after.requests - before.requests;
  const statements = after.statements - before.statements;
  const perStatement = statements === 0 ? 0 : requests / statements;
  return { ...result, shared: { share: requests / result.requests, perStatement } };
}
