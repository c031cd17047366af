import { type AssertionSigner, assertionHeader, type Readiness } from "@rowhouse/http";
import { z } from "zod";

const timeoutMs = 2000;

const notReady = z.object({
  errors: z.array(z.object({ details: z.object({ checks: z.record(z.string(), z.boolean()) }) })),
});

/** A service whose readiness is checked. */
export interface AskedService {
  /** `http://host:port` of each of its processes. */
  readonly urls: readonly string[];
  /** The audience of its assertions. */
  readonly audience: string;
}

/**
 * Reads the readiness of the services. A service is ready if at least one of its processes is ready and accepts this
 * gateway's assertions. A process that does not respond within two seconds is not ready. A process that names the part
 * that it lacks is quoted: `dataApi.database`.
 */
export function askReadiness(
  services: Readonly<Record<string, AskedService>>,
  signAssertion: Pick<AssertionSigner, "introduce">,
): Readiness {
  return async () => {
    const asked = Object.entries(services).map(async ([name, { urls, audience }]) => {
      const introduction = await signAssertion.introduce(audience);
      const missing = await Promise.all(urls.map((url) => missingOf(url, introduction)));
      if (missing.some((parts) => parts?.length === 0)) return [[name, true]] as const;
      const parts = new Set(missing.flatMap((each) => each ?? []));
      return parts.size === 0
        ? ([[name, false]] as const)
        : Array.from(parts, (part) => [`${name}.${part}`, false] as const);
    });
    return Object.fromEntries((await Promise.all(asked)).flat());
  };
}

/** The parts that a process lacks: none if it is ready; undefined if it is not and names none. */
async function missingOf(
  url: string,
  introduction: string,
): Promise<readonly string[] | undefined> {
  try {
    const answer = await fetch(new URL("/readyz", url), {
      headers: { [assertionHeader]: introduction },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.ok) {
      await answer.body?.cancel();
      return [];
    }
    const { errors } = notReady.parse(await answer.json());
    const checks = errors[0]?.details.checks ?? {};
    const parts = Object.keys(checks).filter((part) => checks[part] === false);
    return parts.length === 0 ? undefined : parts;
  } catch {
    return undefined;
  }
}
