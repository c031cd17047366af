import { expect, it } from "vitest";
import { z } from "zod";
import { storagePlace, storageVariables } from "../src/index.ts";

const placeOf = (environment: Readonly<Record<string, string>>) =>
  storagePlace({
    ...z.object(storageVariables).parse(environment),
    ROWHOUSE_DATA_DIR: "/data",
  });

it("without variables files are in the data directory, with FILES_DIR in that folder", () => {
  expect(placeOf({})).toEqual({ kind: "DIRECTORY", path: "/data/files" });
  expect(placeOf({ FILES_DIR: "/mnt/files" })).toEqual({
    kind: "DIRECTORY",
    path: "/mnt/files",
  });
});

it("with S3_BUCKET files are in the bucket; another server than Amazon's gets the bucket in the path", () => {
  expect(placeOf({ S3_BUCKET: "files", S3_REGION: "eu-central-1" })).toEqual({
    kind: "S3",
    bucket: "files",
    region: "eu-central-1",
    forcePathStyle: false,
    endpoint: undefined,
    prefix: undefined,
    credentials: undefined,
    serverSideEncryption: undefined,
  });
  const other = {
    S3_BUCKET: "files",
    S3_ENDPOINT: "https://minio.example.com",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
    S3_PREFIX: "rowhouse/files",
    S3_SSE: "AES256",
  };
  expect(placeOf(other)).toEqual({
    kind: "S3",
    bucket: "files",
    region: "us-east-1",
    forcePathStyle: true,
    endpoint: "https://minio.example.com",
    prefix: "rowhouse/files",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    serverSideEncryption: "AES256",
  });
  expect(placeOf({ ...other, S3_FORCE_PATH_STYLE: "off" })).toMatchObject({
    forcePathStyle: false,
  });
});

it.each([
  [{ S3_ENDPOINT: "https://minio.example.com" }, "S3_ENDPOINT is set, but S3_BUCKET is missing"],
  [{ S3_BUCKET: "files", S3_ACCESS_KEY_ID: "id" }, "S3_SECRET_ACCESS_KEY is missing"],
  [{ S3_BUCKET: "files", S3_SECRET_ACCESS_KEY: "x" }, "S3_ACCESS_KEY_ID is missing"],
  [{ S3_BUCKET: "Not A Bucket" }, "must be the name of a bucket"],
  [{ S3_BUCKET: "files", S3_SSE: "none" }, "must be AES256 or aws:kms"],
  [{ S3_BUCKET: "files", S3_PREFIX: "/a/" }, "must be names of letters"],
])("%j is no configuration", (environment, message) => {
  expect(() => placeOf(environment)).toThrow(message);
});
