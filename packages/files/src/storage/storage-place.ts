import { join } from "node:path";
import { StartError } from "@rowhouse/errors";
import { z } from "zod";
import type { StorageConfig } from "./open-storage.ts";

/** The variables of the storage of files: a folder, or with S3_BUCKET a bucket. */
export const storageVariables = {
  /** The folder of files; by default `files` in the data directory. */
  FILES_DIR: z.string().optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, "must be a region such as eu-central-1")
    .default("us-east-1"),
  /** The address of a server other than Amazon's. */
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" })
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Whether the bucket is part of the path; by default with S3_ENDPOINT. */
  S3_FORCE_PATH_STYLE: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
  /** The folders in the bucket that all keys begin with. */
  S3_PREFIX: z
    .string()
    .regex(
      /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/,
      "must be names of letters, digits, dots, underscores and hyphens, with slashes between them",
    )
    .optional(),
  /** How the server encrypts the objects. */
  S3_SSE: z.enum(["AES256", "aws:kms"], { error: "must be AES256 or aws:kms" }).optional(),
} as const;

const variables = z.object(storageVariables);
type StorageVariables = z.output<typeof variables>;

/**
 * Converts an app's variables of the storage.
 *
 * @throws StartError if a variable of S3 lacks the one that it belongs to
 */
export function storagePlace(
  config: StorageVariables & { readonly ROWHOUSE_DATA_DIR: string },
): StorageConfig {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_PREFIX: prefix } = config;
  const credentials = credentialsOf(config);
  if (bucket !== undefined) {
    return {
      kind: "S3",
      endpoint,
      region: config.S3_REGION,
      bucket,
      prefix,
      credentials,
      forcePathStyle:
        (config.S3_FORCE_PATH_STYLE ?? (endpoint === undefined ? "off" : "on")) === "on",
      serverSideEncryption: config.S3_SSE,
    };
  }
  // Files would silently go to the local folder.
  for (const name of ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_PREFIX", "S3_SSE"] as const) {
    if (config[name] !== undefined) {
      throw new StartError(`Invalid configuration: ${name} is set, but S3_BUCKET is missing.`);
    }
  }
  return { kind: "DIRECTORY", path: config.FILES_DIR ?? join(config.ROWHOUSE_DATA_DIR, "files") };
}

function credentialsOf({
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
}: StorageVariables) {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey };
  }
  if (accessKeyId === secretAccessKey) return undefined;
  const missing = accessKeyId === undefined ? "S3_ACCESS_KEY_ID" : "S3_SECRET_ACCESS_KEY";
  throw new StartError(`Invalid configuration: ${missing} is missing.`);
}
