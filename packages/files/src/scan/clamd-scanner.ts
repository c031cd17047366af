import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import type { Scanner, ScanVerdict } from "./scanner.ts";

const portDefault = 3310;
const replyLengthMax = 500;

/** Creates a scanner that streams files to a clamd by its command INSTREAM. @param url `clamd://host:port` */
export function createClamdScanner(url: URL): Scanner {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? portDefault : Number(url.port);
  return {
    scan: async ({ content, timeoutMs, signal }) => {
      const socket = connect({ host, port });
      // An error after the reply has no other listener.
      socket.on("error", () => {});
      addAbortSignal(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), socket);
      // The daemon can reply and close the connection before it has read all bytes.
      const ended = new AbortController();
      addAbortSignal(ended.signal, content);
      const [sent, reply] = await Promise.allSettled([
        sendStream(content, socket, ended.signal),
        readReply(socket).finally(() => ended.abort()),
      ]);
      if (reply.status === "rejected") throw reply.reason;
      return verdictOf(reply.value, sent.status === "fulfilled");
    },
  };
}

/** Sends the command and the bytes in frames: each has its length before it, and an empty one is the last. */
async function sendStream(content: Readable, socket: Socket, ended: AbortSignal): Promise<void> {
  socket.write("zINSTREAM\0");
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    socket.write(lengthOf(chunk.byteLength));
    if (!socket.write(chunk)) await once(socket, "drain", { signal: ended });
  }
  socket.write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

async function readReply(socket: Socket): Promise<string> {
  let reply = "";
  for await (const chunk of socket as AsyncIterable<Uint8Array>) {
    reply += Buffer.from(chunk).toString("latin1");
    if (reply.endsWith("\0") || reply.length > replyLengthMax) break;
  }
  return reply.slice(0, replyLengthMax).replace(/\0$/, "");
}

function verdictOf(reply: string, isComplete: boolean): ScanVerdict {
  const [, finding] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (finding !== undefined) return { finding };
  if (reply === "stream: OK" && isComplete) return { finding: null };
  throw new Error(`clamd replied ${JSON.stringify(reply)}`);
}
