import {
  createAssertionSigner,
  createAssertionVerifier,
  type RunningServer,
  serve,
} from "@rowhouse/http";
import {
  createApp,
  type ForwardOptions,
  forwardTo,
  type GatewayDependencies,
  serveGateway,
} from "../src/index.ts";
import { createEcho, plain, secret } from "./test-environment.ts";

const hostname = "127.0.0.1";

/** A process of the Data API that records what it receives. */
export function startEcho(
  name: string,
  {
    port = 0,
    secrets = [secret],
    ...more
  }: { port?: number; secrets?: readonly string[]; idleGraceMs?: number } = {},
): Promise<RunningServer> {
  const verifyAssertion = createAssertionVerifier({ secrets, audience: "data-api" });
  return serve(createEcho(name, verifyAssertion).fetch as never, { port, hostname, ...more });
}

export interface ForwardingOptions extends Partial<GatewayDependencies> {
  /** The secret that it signs with. */
  readonly signsWith?: string;
  readonly probe?: ForwardOptions["probe"];
  readonly idleGraceMs?: number;
  readonly port?: number;
}

/** A gateway on a socket, in front of the Data API's processes. */
export async function startForwarding(
  urls: readonly string[],
  {
    signsWith = secret,
    probe,
    idleGraceMs,
    port = 0,
    logger = plain.logger,
    ...dependencies
  }: ForwardingOptions = {},
): Promise<Pick<RunningServer, "url" | "stop">> {
  const forward = forwardTo({
    urls,
    audience: "data-api",
    signAssertion: createAssertionSigner(signsWith),
    logger,
    ...(probe === undefined ? {} : { probe }),
  });
  const { upstream } = forward;
  const app = createApp({
    ...plain,
    logger,
    dataApi: upstream,
    adminApi: upstream,
    ...dependencies,
  });
  const grace = idleGraceMs === undefined ? {} : { idleGraceMs };
  const server = await serveGateway(app, logger, { port, hostname, ...grace });
  return {
    url: server.url,
    stop: async (graceMs) => {
      await server.stop(graceMs);
      await forward.close();
    },
  };
}
