// Tier: all. One of the longest files.
import { randomBytes } from "node:crypto";
import { CreateMultipartUploadCommand, S3Client } from "@aws-sdk/client-s3";
import { type S3Server, startS3Server } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStorageKey, openStorage } from "../src/index.ts";
import { chunksOf, contentOf, keysOf, s3ConfigOf } from "./storages.ts";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server?.stop());

it("a wrong secret and an unknown key id are SERVICE_UNAVAILABLE, and the cause names the rejection", async () => {
  const key = createStorageKey();
  const opened = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
    openStorage({ ...s3ConfigOf(server), credentials });
  const wrong = opened({ accessKeyId: server.accessKeyId, secretAccessKey: "wrong" });
  const rejectedFor = (name: string) => ({
    code: "SERVICE_UNAVAILABLE",
    cause: { message: expect.stringContaining(`rejects this service: ${name} (status 403)`) },
  });
  const rejected = rejectedFor("SignatureDoesNotMatch");
  await expect(wrong.put(key, chunksOf("x"))).rejects.toMatchObject(rejected);
  await expect(wrong.get(key, 1)).rejects.toMatchObject(rejected);
  await expect(keysOf(wrong)).rejects.toMatchObject(rejected);
  const unknown = opened({ accessKeyId: "NOBODY", secretAccessKey: server.secretAccessKey });
  await expect(unknown.put(key, chunksOf("x"))).rejects.toMatchObject(
    rejectedFor("InvalidAccessKeyId"),
  );
  expect(await openStorage(s3ConfigOf(server)).head(key)).toBeUndefined();
});

it("keys begin with the prefix in the bucket, and a storage lists only its own", async () => {
  const one = openStorage({ ...s3ConfigOf(server), prefix: "one/deep" });
  const other = openStorage({ ...s3ConfigOf(server), prefix: "other" });
  const key = createStorageKey();
  await one.put(key, chunksOf("one"));
  expect(server.requests.map(({ path }) => path)).toContain(
    `/${server.bucket}/one/deep/${key}?x-id=PutObject`,
  );
  expect([await keysOf(one), await keysOf(other)]).toEqual([[key], []]);
  expect(await keysOf(one, "objects/", key)).toEqual([]);
  expect(await other.head(key)).toBeUndefined();
  expect(String(await contentOf(one, key))).toBe("one");
});

it.each([
  ["some bytes", 10],
  ["several parts", 20_000_000],
])(
  "an object of %s is encrypted by the server if the configuration demands it",
  async (_size, size) => {
    const storage = openStorage({ ...s3ConfigOf(server), serverSideEncryption: "aws:kms" });
    const from = server.requests.length;
    await storage.put(createStorageKey(), chunksOf(randomBytes(size)));
    const [first] = server.requests.slice(from);
    expect(first?.headers["x-amz-server-side-encryption"]).toBe("aws:kms");
  },
);

it("every body is signed with its digest", async () => {
  const storage = openStorage(s3ConfigOf(server));
  const from = server.requests.length;
  await storage.put(createStorageKey(), chunksOf(randomBytes(20_000_000)));
  const sent = server.requests.slice(from);
  expect(sent.length).toBeGreaterThan(3);
  for (const { headers } of sent) {
    expect(headers["x-amz-content-sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/);
  }
});

it("a list of several pages has each key once, in order, also from after a key on", async () => {
  const storage = openStorage({ ...s3ConfigOf(server), prefix: "pages" });
  const keys = Array.from({ length: 1005 }, () => createStorageKey()).toSorted();
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => storage.put(key, chunksOf("x"))));
  }
  expect(await keysOf(storage)).toEqual(keys);
  expect(await keysOf(storage, "objects/", keys[1])).toEqual(keys.slice(2));
});

it("while the server is away every operation is SERVICE_UNAVAILABLE with Retry-After, and afterwards works again", async () => {
  const storage = openStorage(s3ConfigOf(server));
  const key = createStorageKey();
  await storage.put(key, chunksOf("before"));
  await server.pause();
  const away = { code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "5" } };
  await expect(storage.get(key, 6)).rejects.toMatchObject(away);
  await expect(storage.head(key)).rejects.toMatchObject(away);
  await expect(storage.delete(key)).rejects.toMatchObject(away);
  await expect(storage.put(createStorageKey(), chunksOf("x"))).rejects.toMatchObject(away);
  await expect(keysOf(storage)).rejects.toMatchObject(away);
  await expect(storage.ping()).rejects.toMatchObject(away);
  await expect(storage.discardUnfinished(new Date())).rejects.toMatchObject(away);
  await server.resume();
  expect(String(await contentOf(storage, key))).toBe("before");
});

it("a server that leaves during an upload of several parts fails the upload, and no object appears", async () => {
  const storage = openStorage(s3ConfigOf(server));
  const key = createStorageKey();
  async function* interrupted() {
    for (let part = 0; part < 6; part += 1) {
      if (part === 3) {
        await expect.poll(() => server.requests.at(-1)?.path).toContain("partNumber=");
        await server.pause();
      }
      yield randomBytes(8_388_608);
    }
  }
  await expect(storage.put(key, interrupted())).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  await server.resume();
  expect(await storage.head(key)).toBeUndefined();
  expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(1);
});

it("parts of a killed writer are discarded, but not those of a young or another program's upload", async () => {
  const storage = openStorage({ ...s3ConfigOf(server), prefix: "shared" });
  const { bucket: Bucket, endpoint } = server;
  const credentials = {
    accessKeyId: server.accessKeyId,
    secretAccessKey: server.secretAccessKey,
  };
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  const begin = (Key: string) => client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  await begin(`shared/${createStorageKey()}`);
  await begin("shared/of-another-program");
  expect(await storage.discardUnfinished(new Date(Date.now() - 60_000))).toBe(0);
  expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(1);
  expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(0);
});
