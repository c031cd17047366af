import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";

const good = {
  DATA_API_URL: "http://127.0.0.1:8081",
  ADMIN_API_URL: "http://127.0.0.1:8082",
  ROWHOUSE_SECRET: "x".repeat(32),
};

test("unset variables have their defaults", () => {
  const config = readConfig({ ...good, PORT: "" });
  expect(config).toMatchObject({ PORT: 8080, HOST: "127.0.0.1" });
  // Their settings apply.
  expect([config.CORS_ORIGINS, config.TRUSTED_PROXIES, config.BODY_BYTES_MAX]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("comma-separated lists are split", () => {
  const config = readConfig({
    ...good,
    DATA_API_URL: "http://10.0.0.1:8081, http://[::1]:8081/",
    TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    CORS_ORIGINS: "https://a.example",
  });
  expect(config.DATA_API_URL).toEqual(["http://10.0.0.1:8081", "http://[::1]:8081/"]);
  expect(config.ADMIN_API_URL).toEqual(["http://127.0.0.1:8082"]);
  expect(config.TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "::1"]);
  expect(config.CORS_ORIGINS).toEqual(["https://a.example"]);
});

test("one sentence names every invalid variable", () => {
  const bad = {
    PORT: "80a",
    ADMIN_API_URL: "ftp://x",
    ROWHOUSE_SECRET: "short",
    CORS_ORIGINS: "*",
    TRUSTED_PROXIES: "me",
  };
  expect(() => readConfig(bad)).toThrow(
    "Invalid configuration: PORT must be a port number, DATA_API_URL is missing, ADMIN_API_URL must be URLs that begin with http:// and have no path, separated by commas, ROWHOUSE_SECRET must have at least 32 characters, CORS_ORIGINS must be origins (https://app.example.com), separated by commas, TRUSTED_PROXIES must be addresses or networks (10.0.0.0/8), separated by commas.",
  );
});

test("a missing secret is reported together with other missing variables", () => {
  expect(() => readConfig({})).toThrow(
    "Invalid configuration: DATA_API_URL is missing, ADMIN_API_URL is missing, ROWHOUSE_SECRET is missing.",
  );
});

test("metrics have a separate port", () => {
  expect(() => readConfig({ ...good, METRICS_PORT: "8080" })).toThrow(
    "Invalid configuration: METRICS_PORT must differ from PORT, which is 8080.",
  );
  expect(readConfig({ ...good, PORT: "0", METRICS_PORT: "0" })).toMatchObject({ METRICS_PORT: 0 });
});

test("assertions are signed with their own secrets, or with the installation's", () => {
  expect(readConfig(good).edgeSecret).toBe("x".repeat(32));
  const { ROWHOUSE_SECRET: _, ...without } = good;
  const [next, last] = ["n".repeat(32), "l".repeat(40)];
  // The first one signs.
  const config = readConfig({ ...without, ROWHOUSE_EDGE_SECRETS: `${next},${last}` });
  expect([config.edgeSecret, config.ROWHOUSE_SECRET]).toEqual([next, undefined]);
  expect(() => readConfig(without)).toThrow("ROWHOUSE_SECRET is missing");
  expect(() => readConfig({ ...good, ROWHOUSE_EDGE_SECRETS: `${next},short` })).toThrow(
    "ROWHOUSE_EDGE_SECRETS must be secrets of at least 32 characters, separated by commas",
  );
});
