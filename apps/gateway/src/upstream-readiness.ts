import type { Readiness } from "@rowhouse/http";

const timeoutMs = 2000;

/** Asks the services for their own readiness; one that does not answer in two seconds is not ready. */
export function askReadiness(urls: Readonly<Record<string, string>>): Readiness {
  return async () => {
    const asked = Object.entries(urls).map(async ([name, url]) => [name, await isReady(url)]);
    return Object.fromEntries(await Promise.all(asked));
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL("/readyz", url), { signal: AbortSignal.timeout(timeoutMs) });
    return answer.ok;
  } catch {
    return false;
  }
}
