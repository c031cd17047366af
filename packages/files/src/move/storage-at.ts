import { StartError } from "@rowhouse/errors";
import { z } from "zod";
import type { StorageConfig } from "../storage/open-storage.ts";
import { storagePlace, storageVariables } from "../storage/storage-place.ts";

const bucketForm = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/;

/**
 * Returns the storage that a person names: a folder, or `s3://bucket/prefix`, which is reached by the other variables of
 * S3 in the environment.
 *
 * @throws StartError for an invalid name or variable
 */
export function storageAt(
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): StorageConfig {
  const [isBucket, bucket, prefix] = bucketForm.exec(place) ?? [];
  if (isBucket === undefined) return { kind: "DIRECTORY", path: place };
  const given = { ...environment, S3_BUCKET: bucket, S3_PREFIX: prefix };
  const set = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = z.object(storageVariables).safeParse(set);
  if (parsed.success) return storagePlace({ ...parsed.data, ROWHOUSE_DATA_DIR: "." });
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new StartError(`Invalid configuration: ${problems.join(", ")}.`);
}
