// Tier: all. Starts processes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorageKey, openStorage, storageAt } from "@rowhouse/files";
import { type S3Server, startS3Server } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

let folder: string;
let server: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-cli-"));
  server = await startS3Server();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The variables of S3 besides the bucket, which the command names. */
const environment = () => {
  const { S3_BUCKET: _, ...rest } = server.environment;
  return rest;
};
const move = (from: string, to: string, more = {}) =>
  runCli(["files", "move", "--from", from, "--to", to], { ...environment(), ...more });
const put = async (path: string, text: string) => {
  const key = createStorageKey();
  await openStorage({ kind: "DIRECTORY", path }).put(
    key,
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  return key;
};

it("files move copies a folder to a bucket and back, and prints what it did", async () => {
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const bucket = `s3://${server.bucket}/moved/here`;
  const keys = [await put(first, "one"), await put(first, "two!")];
  expect(await move(first, bucket)).toEqual({
    code: 0,
    stdout: `Copied 2 objects (7 bytes) to ${bucket}; 0 were there already.\nEach has the same SHA-256 in both places. ${first} is unchanged.\n`,
    stderr: expect.any(String),
  });
  keys.push(await put(first, "three"));
  expect((await move(first, bucket)).stdout).toMatch(/^Copied 1 objects \(5 bytes\).* 2 were/);
  expect((await move(bucket, second)).stdout).toMatch(/^Copied 3 objects \(12 bytes\)/);
  const stored = openStorage({ kind: "DIRECTORY", path: second });
  for (const key of keys) expect(await stored.head(key)).toBeDefined();
  const moved = openStorage(storageAt(bucket, environment()));
  expect((await moved.head(keys[2] ?? ""))?.bytes).toBe(5);
});

it("files move ends with exit code 1 and the reason for a place that it cannot use", async () => {
  const source = join(folder, "source");
  await put(source, "x");
  const refused = async (from: string, to: string, more = {}) => {
    const { code, stdout, stderr } = await move(from, to, more);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr.split("\n").find((line) => line.startsWith("rowhouse: "));
  };
  expect(await refused(join(folder, "none"), `s3://${server.bucket}`)).toBe(
    `rowhouse: There is no folder ${join(folder, "none")}.`,
  );
  expect(await refused(source, source)).toBe("rowhouse: --from and --to are the same place.");
  expect(await refused(source, "s3://No")).toMatch("S3_BUCKET must be the name of a bucket");
  expect(await refused(source, `s3://${server.bucket}`, { S3_SECRET_ACCESS_KEY: "wrong" })).toMatch(
    "request signature we calculated does not match",
  );
  await server.pause();
  expect(await refused(source, `s3://${server.bucket}`)).toMatch(
    /temporarily unavailable \(.*ECONNREFUSED.*\)\.$/,
  );
  await server.resume();
  const missing = await runCli(["files", "move", "--from", source], environment());
  expect([missing.code, missing.stderr]).toEqual([1, "rowhouse: --to is required.\n"]);
});
