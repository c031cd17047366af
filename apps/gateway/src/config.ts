import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/service";
import { z } from "zod";
import { isNetwork } from "./request/client-address.ts";

const noneIsNotSet = (items: string[]): string[] | undefined =>
  items.length === 0 ? undefined : items;

const schema = z.object({
  PORT: environmentVariables.port(8080),
  HOST: environmentVariables.host,
  /** The URLs of the services: one for each of their processes. */
  DATA_API_URL: environmentVariables.urls("http:"),
  ADMIN_API_URL: environmentVariables.urls("http:"),
  /** One of the two is required. The gateway decrypts nothing, so it needs no other secrets. */
  ROWHOUSE_SECRET: environmentVariables.secret.optional(),
  ROWHOUSE_EDGE_SECRETS: environmentVariables.secretList,
  /** The shared counters of requests; without it each gateway counts for itself. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  /** Each of these three overrides its setting. */
  CORS_ORIGINS: environmentVariables.list
    .refine(
      (origins) => origins.every((origin) => /^https?:\/\/[^/\s*]+$/.test(origin)),
      "must be origins (https://app.example.com), separated by commas",
    )
    .transform(noneIsNotSet),
  TRUSTED_PROXIES: environmentVariables.list
    .refine(
      (proxies) => proxies.every(isNetwork),
      "must be addresses or networks (10.0.0.0/8), separated by commas",
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

/** All variables that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

type Secrets = Pick<z.output<typeof schema>, "ROWHOUSE_SECRET" | "ROWHOUSE_EDGE_SECRETS">;

const edgeSecretOf = (config: Partial<Secrets>): string | undefined =>
  config.ROWHOUSE_EDGE_SECRETS?.[0] ?? config.ROWHOUSE_SECRET;

const withEdgeSecret = schema
  .refine((config) => edgeSecretOf(config) !== undefined, {
    path: ["ROWHOUSE_SECRET"],
    error: "is missing",
    // Checked together with the variables, so that one sentence names all faults.
    when: ({ issues }) =>
      !issues.some(
        ({ path }) => String(path?.[0]).endsWith("_SECRETS") || path?.[0] === "ROWHOUSE_SECRET",
      ),
  })
  .transform((config, context) => {
    const edgeSecret = edgeSecretOf(config);
    if (edgeSecret !== undefined) return { ...config, edgeSecret };
    context.addIssue({ code: "custom", path: ["ROWHOUSE_SECRET"], message: "is missing" });
    return z.NEVER;
  });

export type GatewayConfig = z.output<typeof withEdgeSecret>;

/** Reads the gateway's configuration from the environment. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): GatewayConfig {
  return readEnvironment(withEdgeSecret, environment);
}
