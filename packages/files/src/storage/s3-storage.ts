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
  type ServerSideEncryption,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { exactly } from "./exactly.ts";
import {
  isDescribed,
  isNoObject,
  rethrow,
  strongTag,
  translated,
  unexpected,
} from "./s3-answers.ts";
import type { S3Config } from "./s3-config.ts";
import { ObjectMissing, type Storage } from "./storage.ts";
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
/** Time for the removal of an object whose upload has failed. */
const cleanUpMs = 5000;

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
  /** Returns the object, and its entity tag; undefined if there is none. */
  const find = async (key: string) => {
    const input = at(key);
    try {
      const found = await client.send(new HeadObjectCommand(input));
      const object = { key, bytes: found.ContentLength, modifiedAt: found.LastModified };
      const tag = strongTag(found.ETag);
      if (isDescribed(object) && tag !== undefined) return { object, tag };
      throw unexpected("HEAD", found);
    } catch (error) {
      if (isNoObject(error, "NotFound")) return undefined;
      throw translated(error);
    }
  };
  return {
    put: async (key, content, { signal } = {}) => {
      const input = at(key);
      const source = readSource(untilAborted(content, signal));
      const params = { ...input, ...encryption, Body: source.body };
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce });
      try {
        // The upload deletes its parts before it rejects.
        const stored = await upload.done();
        const tag = strongTag(stored.ETag);
        // Only the object itself proves its length: a proxy may have accepted the bytes.
        const found = tag === undefined ? undefined : await find(key);
        const bytes = source.bytes();
        if (found?.tag === tag && found?.object.bytes === bytes) return bytes;
        throw unexpected("PUT", stored);
      } catch (error) {
        source.body.destroy();
        const failure = source.failure();
        if (failure !== undefined) throw failure;
        const abortSignal = AbortSignal.timeout(cleanUpMs);
        await client.send(new DeleteObjectCommand(input), { abortSignal }).catch(() => {});
        throw translated(error);
      }
    },
    get: async (key, bytes, range) => {
      const input = at(key);
      const [start, end] = [range?.start ?? 0, Math.min(range?.end ?? bytes, bytes - 1)];
      const length = end - start + 1;
      try {
        const part = range === undefined ? {} : { Range: `bytes=${start}-${end}` };
        const found = await client.send(new GetObjectCommand({ ...input, ...part }));
        const { Body, ContentLength, ContentRange, ETag, $metadata } = found;
        if (!(Body instanceof Readable)) throw new Error("S3 sent no body");
        const isPart =
          range === undefined
            ? $metadata.httpStatusCode === 200
            : $metadata.httpStatusCode === 206 && ContentRange === `bytes ${start}-${end}/${bytes}`;
        if (isPart && ContentLength === length && strongTag(ETag) !== undefined) {
          return exactly(Body, length);
        }
        Body.destroy();
        throw unexpected("GET", found);
      } catch (error) {
        throw isNoObject(error, "NoSuchKey") ? new ObjectMissing(key) : translated(error);
      }
    },
    head: async (key) => (await find(key))?.object,
    delete: async (key) => {
      const gone = await client.send(new DeleteObjectCommand(at(key))).catch(rethrow);
      if (gone.$metadata.httpStatusCode !== 204) throw unexpected("DELETE", gone);
    },
    list: async function* (prefix, after) {
      const start = after === undefined ? {} : { StartAfter: base + after };
      const Prefix = base + prefix;
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix, ...start });
      try {
        for await (const page of pages) {
          const { Contents = [], IsTruncated, NextContinuationToken } = page;
          const isWhole = page.Name === Bucket && IsTruncated !== undefined;
          const isContinued = IsTruncated !== true || Boolean(NextContinuationToken);
          if (!isWhole || !isContinued) throw unexpected("LIST", page);
          for (const { Key = "", Size: bytes, LastModified: modifiedAt } of Contents) {
            const object = { key: Key.slice(base.length), bytes, modifiedAt };
            if (!Key.startsWith(Prefix) || !isDescribed(object)) throw unexpected("LIST", page);
            yield object;
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
        const ended = await client.send(command).catch(rethrow);
        if (ended.$metadata.httpStatusCode !== 204) throw unexpected("DELETE", ended);
      }
      return unfinished.length;
    },
    ping: async () => {
      // A list names the reason for a rejection; the response to a HEAD has no text.
      const command = new ListObjectsV2Command({ Bucket, Prefix: base, MaxKeys: 1 });
      const page = await client.send(command).catch(rethrow);
      if (page.Name !== Bucket) throw unexpected("LIST", page);
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
    const page = await client.send(command);
    if (page.Bucket !== bucket) throw unexpected("LIST", page);
    const { Uploads = [] } = page;
    found.push(...Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before));
  }
  return found;
}
