import { type AssertionSigner, assertionHeader, type Readiness } from "@rowhouse/http";

const timeoutMs = 2000;

/** A service whose readiness is checked. */
export interface AskedService {
  /** `http://host:port` of each of its processes. */
  readonly urls: readonly string[];
  /** The audience of its assertions. */
  readonly audience: string;
}

/**
 * Reads the readiness of the services. A service is ready if at least one of its processes is ready and accepts this
 * gateway's assertions. A process that does not respond within two seconds is not ready.
 */
export function askReadiness(
  services: Readonly<Record<string, AskedService>>,
  signAssertion: Pick<AssertionSigner, "introduce">,
): Readiness {
  return async () => {
    const asked = Object.entries(services).map(async ([name, { urls, audience }]) => {
      const introduction = await signAssertion.introduce(audience);
      const ready = await Promise.all(urls.map((url) => isReady(url, introduction)));
      return [name, ready.includes(true)];
    });
    return Object.fromEntries(await Promise.all(asked));
  };
}

async function isReady(url: string, introduction: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL("/readyz", url), {
      headers: { [assertionHeader]: introduction },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
