import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";

/** A server with the protocol of S3 that checks signatures of version 4. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The variables of an app that stores its files here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Method, path with query, and headers of each request since the start. */
  readonly requests: readonly SeenRequest[];
  /** Closes the port and its connections; objects stay. */
  pause(): Promise<void>;
  /** Listens again on the same port. */
  resume(): Promise<void>;
  /** Stops the server and deletes its objects. */
  stop(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The parts of s3rver and its Koa that are used; the package has no types. */
interface S3rver {
  readonly middleware: Middleware[];
  configureBuckets(): Promise<void>;
  callback(): RequestListener;
}
type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
interface Context {
  readonly method: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  status: number;
  body: unknown;
}
type S3rverClass = new (options: object) => S3rver;

const bucket = "rowhouse-files";
/** The only account of s3rver. */
const account = "S3RVER";
// s3rver stores the parts of an upload in `<bucket>/._S3rver_uploads/<id>`, with the key in the file `key`.
const partsFolder = "._S3rver_uploads";

/** Starts a server with an empty bucket on a free port of the loopback address. */
export async function startS3Server(): Promise<S3Server> {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-s3-"));
  const requests: SeenRequest[] = [];
  const answer = await openS3rver(folder);
  let server: Server | undefined;
  const resume = async () => {
    server = createServer((request, response) => {
      const { method = "", url = "", headers } = request;
      requests.push({ method, path: url, headers });
      answer(request, response);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const pause = async () => {
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    server = undefined;
    await closed;
  };
  await resume();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    bucket,
    accessKeyId: account,
    secretAccessKey: account,
    environment: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: account,
      S3_SECRET_ACCESS_KEY: account,
    },
    requests,
    pause,
    resume,
    stop: async () => {
      await pause();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openS3rver(folder: string): Promise<RequestListener> {
  const Server: S3rverClass = createRequire(import.meta.url)("@20minutes/s3rver");
  const server = new Server({
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await server.configureBuckets();
  server.middleware.unshift(uploadsInParts(join(folder, bucket, partsFolder)));
  return server.callback();
}

/**
 * Adds the two operations on uploads in parts that s3rver lacks: their list and their deletion. It rejects them after it
 * has checked the signature, and only then do they run here.
 */
function uploadsInParts(folder: string): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      const { method, query } = context;
      if (method === "DELETE" && query.uploadId !== undefined && code === "MethodNotAllowed") {
        await rm(join(folder, query.uploadId), { recursive: true, force: true });
        context.status = 204;
      } else if (method === "GET" && "uploads" in query && code === "NotImplemented") {
        context.body = await listUploads(folder, query.prefix ?? "");
      } else {
        throw error;
      }
    }
  };
}

async function listUploads(folder: string, prefix: string): Promise<string> {
  const ids = await readdir(folder).catch(() => []);
  const uploads = await Promise.all(
    ids.map(async (id) => {
      const path = join(folder, id, "key");
      const key = await readFile(path, "utf8");
      if (!key.startsWith(prefix)) return "";
      const { mtime } = await stat(path);
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`;
    }),
  );
  return `<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>${bucket}</Bucket>${uploads.join("")}</ListMultipartUploadsResult>`;
}
