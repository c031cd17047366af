import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  type ServerSideEncryption,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Config } from "./s3-config.ts";
import { ObjectMissing, type Storage } from "./storage.ts";
import { storageAway, storageFull } from "./storage-errors.ts";
import { checkStorageKey, storagePrefixes } from "./storage-key.ts";
import { untilAborted } from "./until-aborted.ts";

// A writer holds at most this many parts in memory, and an object has at most 10,000 parts.
const partBytes = 8_388_608;
const partsAtOnce = 2;
// Each download holds a socket until its reader has read it.
const socketsMax = 256;
const attemptsMax = 3;
const connectTimeoutMs = 3000;
/** How long a request or a reader may be silent. */
const silenceTimeoutMs = 30_000;
/** Until the head of a response, whatever the server sends before it. A part of an upload needs 140 kB/s. */
const attemptTimeoutMs = 60_000;

/** Opens a bucket of Amazon S3, or of a server with the same protocol. */
export function openS3Storage(config: S3Config): Storage {
  const client = openClient(config);
  const { bucket: Bucket } = config;
  const base = config.prefix === undefined ? "" : `${config.prefix}/`;
  const at = (key: string) => ({ Bucket, Key: base + checkStorageKey(key) });
  const encryption: { ServerSideEncryption?: ServerSideEncryption } =
    config.serverSideEncryption === undefined
      ? {}
      : { ServerSideEncryption: config.serverSideEncryption };
  return {
    put: async (key, content, { signal } = {}) => {
      const source = readSource(untilAborted(content, signal));
      const params = { ...at(key), ...encryption, Body: source.body };
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce });
      try {
        // The upload deletes its parts before it rejects.
        await upload.done();
        return source.bytes();
      } catch (error) {
        source.body.destroy();
        throw source.failure() ?? translated(error);
      }
    },
    get: async (key, range) => {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...at(key), ...part }));
        if (!(Body instanceof Readable)) throw new Error("S3 sent no body");
        return Body;
      } catch (error) {
        throw isMissing(error) ? new ObjectMissing(key) : translated(error);
      }
    },
    head: async (key) => {
      try {
        const found = await client.send(new HeadObjectCommand(at(key)));
        return {
          key,
          bytes: found.ContentLength ?? 0,
          modifiedAt: found.LastModified ?? new Date(),
        };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw translated(error);
      }
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand(at(key))).catch(rethrow);
    },
    list: async function* (prefix, after) {
      const start = after === undefined ? {} : { StartAfter: base + after };
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: base + prefix, ...start });
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key, Size = 0, LastModified = new Date() } of Contents) {
            if (Key === undefined) continue;
            yield { key: Key.slice(base.length), bytes: Size, modifiedAt: LastModified };
          }
        }
      } catch (error) {
        throw translated(error);
      }
    },
    discardUnfinished: async (before) => {
      const prefixes = storagePrefixes.map((prefix) => base + prefix);
      const unfinished = await listUnfinished(client, Bucket, prefixes, before).catch(rethrow);
      for (const { Key, UploadId } of unfinished) {
        const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
        await client.send(command).catch(rethrow);
      }
      return unfinished.length;
    },
    ping: async () => {
      // A list names the reason for a rejection; the response to a HEAD has no text.
      const command = new ListObjectsV2Command({ Bucket, Prefix: base, MaxKeys: 1 });
      await client.send(command).catch(rethrow);
    },
  };
}

function openClient(config: S3Config): S3Client {
  const { endpoint, credentials } = config;
  return new S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    maxAttempts: attemptsMax,
    // The signature covers a digest of each body. Other servers reject the additional checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      requestTimeout: config.attemptTimeoutMs ?? attemptTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: socketsMax },
      httpsAgent: { maxSockets: socketsMax },
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}

/** Returns the source as a stream that counts its bytes and remembers its failure, which fails the upload. */
function readSource(content: AsyncIterable<Uint8Array>) {
  let bytes = 0;
  let failure: unknown;
  // A stream that is destroyed throws into the generator where it yields; that is no failure of the source.
  let isReading = true;
  const counted = async function* () {
    try {
      for await (const chunk of content) {
        bytes += chunk.byteLength;
        isReading = false;
        yield chunk;
        isReading = true;
      }
    } catch (error) {
      if (isReading) failure = error;
      throw error;
    }
  };
  return {
    body: Readable.from(counted(), { objectMode: false }),
    bytes: () => bytes,
    failure: () => failure,
  };
}

function rethrow(error: unknown): never {
  throw translated(error);
}

/** Lists the uploads in parts that began before a moment and have not ended, at most a page of each prefix. */
async function listUnfinished(
  client: S3Client,
  bucket: string,
  prefixes: readonly string[],
  before: Date,
): Promise<readonly MultipartUpload[]> {
  const found: MultipartUpload[] = [];
  for (const prefix of prefixes) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
    const { Uploads = [] } = await client.send(command);
    found.push(...Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before));
  }
  return found;
}

/** Errors of a connection that could not be opened or was lost. */
const lostConnection =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE)$/;
/** Codes of servers whose disks or quotas are full; Amazon's have no end. */
const fullCodes = new Set(["XMinioStorageFull", "QuotaExceeded", "EntityStorageFull"]);

/** Returns whether the error means that an object does not exist. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && (error.name === "NoSuchKey" || error.name === "NotFound")
  );
}

/** Returns the error for the caller: SERVICE_UNAVAILABLE if a later attempt may succeed, otherwise the error itself. */
function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (fullCodes.has(error.name)) return storageFull(error);
  return isTemporary(error) ? storageAway(error) : error;
}

function isTemporary(error: Error): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    return status >= 500 || status === 429 || error.name === "RequestTimeout";
  }
  const { code } = error as NodeJS.ErrnoException;
  return error.name === "TimeoutError" || lostConnection.test(code ?? "");
}
