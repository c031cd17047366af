import type { Page } from "playwright-core";

/** Slows the processor of a page down by a factor, as on a slow computer; 1 is the usual speed. */
export async function slowDown(page: Page, factor: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: factor });
}

/** Delays every response to a page by some milliseconds, as a distant service does. */
export async function delayResponses(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 },
  });
}

/** Holds the requests of a page to a URL; returns the function that releases them. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
