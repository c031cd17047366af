import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Server } from "@rowhouse/testing";

/** The response of a store, before the proxy passes it on. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** Whether the proxy closes the connection after half of the body. */
  isCut?: boolean;
}

/** Changes a response, or replaces it before the store receives the request. */
export interface Falsified {
  /** Whether the request reaches the store. */
  isPassed(request: IncomingMessage): boolean;
  falsify(answer: Answer, request: IncomingMessage): Answer | undefined;
}

export interface AnsweringProxy {
  readonly endpoint: string;
  /** The responses from now on; undefined passes all on. */
  answerWith(falsified: Falsified | undefined): void;
  close(): Promise<void>;
}

/** Starts a proxy before a store that passes all responses on until a test falsifies them. */
export async function startAnsweringProxy(store: S3Server): Promise<AnsweringProxy> {
  let falsified: Falsified | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const now = falsified;
    const empty: Answer = { status: 200, headers: {}, body: Buffer.alloc(0) };
    const answer =
      now?.isPassed(incoming) === false ? empty : await pass(store.endpoint, incoming, body);
    send(outgoing, now?.falsify(answer, incoming) ?? answer, incoming.method === "HEAD");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith: (next) => {
      falsified = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The `Host` header stays, which the signature covers. */
async function pass(endpoint: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method = "GET", url = "", headers } = incoming;
  const sent = request(new URL(url, endpoint), { method, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode = 0, headers: received } = response;
  return { status: statusCode, headers: { ...received }, body: await buffer(response) };
}

function send(outgoing: ServerResponse, { status, headers, body, isCut }: Answer, isHead: boolean) {
  for (const [name, value] of Object.entries(headers)) {
    const isFraming = name === "transfer-encoding" || name === "connection";
    if (value !== undefined && !isFraming) outgoing.setHeader(name, value);
  }
  if (!isHead && status !== 204) outgoing.setHeader("content-length", body.length);
  outgoing.writeHead(status);
  if (isCut !== true) return outgoing.end(isHead ? undefined : body);
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  return outgoing;
}
