import type { Readiness } from "@rowhouse/http";

const timeoutMs = 2000;

/**
 * Asks the services for their own readiness. A service is ready while one of its processes is; one that does not answer in
 * two seconds is not.
 */
export function askReadiness(urls: Readonly<Record<string, readonly string[]>>): Readiness {
  return async () => {
    const asked = Object.entries(urls).map(async ([name, processes]) => {
      const ready = await Promise.all(processes.map(isReady));
      return [name, ready.includes(true)];
    });
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
