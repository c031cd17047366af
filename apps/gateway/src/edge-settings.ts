import { createError } from "@rowhouse/errors";
import { type AssertionSigner, assertionHeader, edgeSettingsPath } from "@rowhouse/http";
import { nextFlight } from "@rowhouse/limits";
import type { Logger } from "@rowhouse/service";
import { z } from "zod";

const schema = z.object({
  corsOrigins: z.array(z.string()),
  trustedProxies: z.array(z.string()),
  bodyBytesMax: z.int(),
  // A Data API of an earlier version does not send these two.
  importBytesMax: z.int().default(268_435_456),
  fileBytesMax: z.int().default(1_074_790_400),
  requestsPerMinute: z.int(),
});

/** The settings that the gateway uses. */
export type EdgeSettings = z.output<typeof schema>;

export interface EdgeSettingsOptions {
  /**
   * The processes of the Data API, which can read the settings from the database. The first one that responds is used.
   */
  readonly urls: readonly string[];
  readonly signAssertion: AssertionSigner;
  readonly logger: Logger;
}

/** The settings from services in other processes. */
export interface EdgeSettingsSource {
  /** The last received settings; before that, the defaults. */
  current(): EdgeSettings;
  /** Reads the current settings. After a failure the last ones remain. */
  refresh(): Promise<void>;
  stop(): void;
}

const pollMs = 1000;
const timeoutMs = 2000;

/**
 * Reads the settings from the Data API: every second, and on `refresh`. Concurrent callers share one request, but
 * never one that started before they called.
 */
export function openEdgeSettings(options: EdgeSettingsOptions): EdgeSettingsSource {
  let settings: EdgeSettings = {
    corsOrigins: [],
    trustedProxies: [],
    bodyBytesMax: 1_048_576,
    importBytesMax: 268_435_456,
    fileBytesMax: 1_074_790_400,
    requestsPerMinute: 0,
  };
  let isReached = true;

  const refresh = nextFlight(async () => {
    try {
      settings = await load(options);
      isReached = true;
    } catch (error) {
      // Logged once per outage: the next attempt follows within a second.
      if (isReached) options.logger.warn({ err: error }, "The settings could not be read");
      isReached = false;
    }
  });
  void refresh();
  const timer = setInterval(() => void refresh(), pollMs);
  timer.unref();
  return { current: () => settings, refresh, stop: () => clearInterval(timer) };
}

async function load({ urls, signAssertion }: EdgeSettingsOptions): Promise<EdgeSettings> {
  const assertion = await signAssertion({ requestId: "", clientAddress: "" }, "data-api");
  let failure: unknown;
  for (const url of urls) {
    try {
      return await loadFrom(url, assertion);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function loadFrom(url: string, assertion: string): Promise<EdgeSettings> {
  const answer = await fetch(new URL(edgeSettingsPath, url), {
    headers: { [assertionHeader]: assertion },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw createError("SERVICE_UNAVAILABLE", { message: `HTTP ${answer.status}` });
  const parsed = z.object({ data: schema }).safeParse(await answer.json());
  if (!parsed.success) throw createError("SERVICE_UNAVAILABLE", { cause: parsed.error });
  return parsed.data.data;
}
