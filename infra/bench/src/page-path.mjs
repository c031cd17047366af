// What a browser loads on the way from the sign-in to a first table, with an empty cache: requests and bytes of each step.
import { administrator } from "./world.mjs";

/** The kinds of a request, by the end of its path. */
const kinds = [
  ["scripts", /\.js$/],
  ["styles", /\.css$/],
  ["fonts", /\.woff2$/],
  ["answers", /^\/(?:admin\/|app\/)?api\//],
];
const quietMs = 500;

/**
 * Signs in and opens a table as a person does, and prints the requests and the transferred bytes of each step.
 *
 * @param {import("playwright-core").Page} page of a new browser context
 * @param {string} table its path below `/app/data`
 */
export async function printPagePath(page, table) {
  const loads = await watchLoads(page);
  await page.goto("/app");
  await page.getByLabel("Email").waitFor();
  await loads.print("sign-in");
  await page.getByLabel("Email").fill(administrator.email);
  await page.getByLabel("Password", { exact: true }).fill(administrator.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === "/app");
  await page.locator("nav").first().waitFor();
  await loads.print("home");
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/app/data/${table}`);
  await page.locator('[role="gridcell"]').first().waitFor();
  await loads.print("first grid");
}

/** Counts what a page loads, from the browser's own record of the network. */
async function watchLoads(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const open = new Map();
  let done = [];
  let last = Date.now();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    last = Date.now();
    if (/^(?:data|blob):/.test(request.url)) return;
    open.set(requestId, new URL(request.url).pathname);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    last = Date.now();
    const path = open.get(requestId);
    open.delete(requestId);
    if (path !== undefined) done.push({ path, bytes: encodedDataLength });
  });
  session.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  return {
    print: async (name) => {
      while (Date.now() - last < quietMs) await page.waitForTimeout(50);
      const bytes = (some) => some.reduce((sum, one) => sum + one.bytes, 0);
      const parts = [...kinds, ["others", undefined]].map(([kind, pattern]) => {
        const some = done.filter(({ path }) =>
          pattern === undefined ? !kinds.some(([, each]) => each.test(path)) : pattern.test(path),
        );
        return `${some.length} ${kind} ${kilobytes(bytes(some))}`;
      });
      console.log(
        `${name.padEnd(12)} ${String(done.length).padStart(3)} requests, ${kilobytes(bytes(done))} KB (${parts.join(", ")})`,
      );
      done = [];
    },
  };
}

function kilobytes(bytes) {
  return (bytes / 1024).toFixed(1);
}
