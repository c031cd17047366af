import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/http";
import { z } from "zod";
import { isNetwork } from "./client-address.ts";

const noneIsNotSet = (items: string[]): string[] | undefined =>
  items.length === 0 ? undefined : items;

const schema = z.object({
  PORT: environmentVariables.port(8080),
  HOST: environmentVariables.host,
  /** Where the services are: each of their processes. */
  DATA_API_URL: environmentVariables.urls("http:"),
  ADMIN_API_URL: environmentVariables.urls("http:"),
  ROWHOUSE_SECRET: environmentVariables.secret,
  /** Each of these three stands for its setting, which then does not count. */
  CORS_ORIGINS: environmentVariables.list
    .refine(
      (origins) => origins.every((origin) => /^https?:\/\/[^/\s*]+$/.test(origin)),
      "must be origins (https://app.example.com) with commas between them",
    )
    .transform(noneIsNotSet),
  TRUSTED_PROXIES: environmentVariables.list
    .refine(
      (proxies) => proxies.every(isNetwork),
      "must be addresses or networks (10.0.0.0/8) with commas between them",
    )
    .transform(noneIsNotSet),
  BODY_BYTES_MAX: z
    .string()
    .regex(/^[0-9]{1,10}$/, "must be a number of bytes")
    .transform(Number)
    .optional(),
  ...telemetryVariables("rowhouse-gateway"),
  DRAIN_MS: environmentVariables.drainMs,
  LOG_LEVEL: environmentVariables.logLevel,
});

export type GatewayConfig = z.output<typeof schema>;

/** The gateway's configuration, from the environment. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): GatewayConfig {
  return readEnvironment(schema, environment);
}
